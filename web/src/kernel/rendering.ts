/*
 * What the client and the worker that renders messages tell each other. The worker knows nothing of the organization: it asks
 * for each name that a text has, and is told what the author may refer to.
 */
import type { MarkdownContext, UploadPreview } from '@parley/server/markdown/job'

/** What a text can refer to, by what the renderer looks up. */
export interface Found {
  readonly userByName: ReturnType<MarkdownContext['userByName']>
  readonly userById: ReturnType<MarkdownContext['userById']>
  readonly groupByName: ReturnType<MarkdownContext['groupByName']>
  readonly channelByName: ReturnType<MarkdownContext['channelByName']>
  readonly channelById: ReturnType<MarkdownContext['channelById']>
  readonly realmEmoji: ReturnType<MarkdownContext['realmEmoji']>
  /** By the path id of the file. */
  readonly uploadPreview: UploadPreview | 'none' | undefined
}

export type Lookup = keyof Found

export interface Question {
  readonly lookup: Lookup
  /** A name, or an id in digits. */
  readonly key: string
}

export interface Answer extends Question {
  readonly found: Found[Lookup]
}

/** What is the same for all texts, until the organization or its author changes it. */
export type RenderingSettings = Pick<
  MarkdownContext,
  'linkifiers' | 'baseUrl' | 'defaultCodeLanguage' | 'translateEmoticons' | 'imagePreviews'
>

export type ToRenderer =
  | { readonly kind: 'settings'; readonly settings: RenderingSettings }
  | { readonly kind: 'render'; readonly source: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }

/** A text was rendered, something has to be known first, or a part of the renderer could not be loaded. */
export type FromRenderer =
  | { readonly kind: 'rendered'; readonly html: string }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  | { readonly kind: 'failed' }
