/* The rendering worker does not know the organization, so it asks the page about each name in the text. */
import type { KnownUpload, MarkdownContext } from '@parley/server/markdown/job'

export interface LookupAnswers {
  readonly userByName: ReturnType<MarkdownContext['userByName']>
  readonly userById: ReturnType<MarkdownContext['userById']>
  readonly groupByName: ReturnType<MarkdownContext['groupByName']>
  readonly channelByName: ReturnType<MarkdownContext['channelByName']>
  readonly channelById: ReturnType<MarkdownContext['channelById']>
  readonly realmEmoji: ReturnType<MarkdownContext['realmEmoji']>
  readonly uploadPreview: KnownUpload | undefined
}

export type Lookup = keyof LookupAnswers

export interface NameLookup {
  readonly lookup: Lookup
  /** Name to look up, or an ID in digits. */
  readonly key: string
}

export interface Answer extends NameLookup {
  readonly found: LookupAnswers[Lookup]
}

export type RenderingSettings = Pick<
  MarkdownContext,
  'linkifiers' | 'baseUrl' | 'defaultCodeLanguage' | 'translateEmoticons' | 'imagePreviews'
>

export type ToRenderer =
  | { readonly kind: 'settings'; readonly settings: RenderingSettings }
  | { readonly kind: 'render'; readonly source: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }

/** Message from the worker: it rendered the text, needs answers first, or could not load one of its chunks. */
export type FromRenderer =
  | { readonly kind: 'rendered'; readonly html: string }
  | { readonly kind: 'questions'; readonly questions: readonly NameLookup[] }
  | { readonly kind: 'failed' }
