import type { Env } from 'markdown-it'
import type { ApiNames } from '../http/names.ts'
import type { RendererParts } from './parts.ts'

export interface NamedUser {
  readonly id: number
  readonly full_name: string
  /** A mention of a deactivated person is silent. */
  readonly isDeactivated: boolean
}

/**
 * The lookups of the renderer while it renders one text. Every lookup answers for the *author*: a user, group or
 * channel that the author may not refer to does not exist here, so the source stays plain text and nothing about it
 * is shown. Lookups are pure, and all but the last synchronous; the same answers give the same HTML.
 */
export interface MarkdownContext {
  /** A user by full name, active ones first; undefined when no person, or more than one, has that name. */
  userByName(name: string): NamedUser | undefined
  userById(id: number): NamedUser | undefined
  /** A group by name. The caller that stores the text checks whether the author may mention it aloud. */
  groupByName(name: string): { id: number; name: string } | undefined
  channelByName(name: string): { id: number; name: string } | undefined
  channelById(id: number): { id: number; name: string } | undefined
  realmEmoji(name: string): { id: string; url: string } | undefined
  /** In order of precedence. Compiled once per array object, so hand over the same array until it changes. */
  readonly linkifiers: readonly Linkifier[]
  /** `https://chat.example.org`, without a slash at the end. */
  readonly baseUrl: string
  /** The language of code blocks that name none. */
  readonly defaultCodeLanguage?: string
  /** How the empty topic is shown; `general chat` when absent. */
  readonly emptyTopicName?: string
  /** Decides which of an emoji's names readers are told; the neutral ones when absent. */
  readonly apiNames?: ApiNames
  /** The author's setting: turn `:)` and the like into emoji. */
  readonly translateEmoticons?: boolean
  /** Whether links to uploaded pictures show the picture; they do when absent. */
  readonly imagePreviews?: boolean
  /** What is known about uploaded files, by their path ids; the previews of others show the file itself, by its name. */
  uploadPreviews?(pathIds: readonly string[]): Promise<ReadonlyMap<string, KnownUpload>>
}

export interface Linkifier {
  readonly id: number
  readonly pattern: string
  readonly url_template: string
}

/** What an uploaded file is: a picture, a film, a sound, or nothing that can be shown. */
export type KnownUpload = UploadPreview | 'video' | 'audio' | 'none'

/** A picture to show in place of an uploaded one, of which the other fields tell. */
export interface UploadPreview {
  readonly src: string
  readonly isAnimated: boolean
  readonly width: number
  readonly height: number
  readonly contentType: string
}

export interface Rendered {
  readonly html: string
  /** What readers see as words. */
  readonly text: string
  /** Loud mentions only: not silent, not inside a quotation. Ascending, without repeats; so are the other lists. */
  readonly mentionedUserIds: readonly number[]
  readonly mentionedGroupIds: readonly number[]
  /** `@**all**`, `@**everyone**`, `@**channel**` or `@**stream**`. */
  readonly mentionsChannelWildcard: boolean
  readonly mentionsTopicWildcard: boolean
  /** Path ids (`2/ab/photo.png`) of the uploads the text links to. */
  readonly linkedUploads: readonly string[]
  /** The addresses elsewhere that the text links to and of which previews may be shown below it, in the order of the text. */
  readonly previewable: readonly string[]
}

/** One rendering in progress, carried by markdown-it's environment so that the parser itself stays stateless. */
export interface RenderJob {
  readonly context: MarkdownContext
  readonly parts: RendererParts
  readonly previews: boolean
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  readonly wildcards: Set<'channel' | 'topic'>
  readonly linkedUploads: Set<string>
  readonly previewable: Set<string>
  /** What the context knows of these; `none` for what turned out to be no picture. */
  uploadPreviews: ReadonlyMap<string, KnownUpload>
  readonly spent: Map<string, number>
  /** The length of the whole text. */
  sourceCharacters: number
}

const JOB = Symbol('render job')

export function startJob(context: MarkdownContext, parts: RendererParts, previews: boolean): RenderJob {
  return {
    context,
    parts,
    previews,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    wildcards: new Set(),
    linkedUploads: new Set(),
    previewable: new Set(),
    uploadPreviews: new Map(),
    spent: new Map(),
    sourceCharacters: 0,
  }
}

export function environment(job: RenderJob): Env {
  return { [JOB]: job }
}

export function jobOf(env: Env | undefined): RenderJob {
  const job = env?.[JOB]
  if (job === undefined) throw new Error('markdown was parsed without a render job')
  return job as RenderJob // only environment() writes this key
}

/** Takes `amount` from a budget of this job, or refuses and takes nothing: how one message is kept from growing. */
export function spend(env: Env, budget: string, amount: number, limit: number): boolean {
  const total = spent(env, budget) + amount
  if (total > limit) return false
  jobOf(env).spent.set(budget, total)
  return true
}

export function spent(env: Env, budget: string): number {
  return jobOf(env).spent.get(budget) ?? 0
}
