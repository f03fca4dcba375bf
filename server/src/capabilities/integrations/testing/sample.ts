/** What a service sends, written by hand in the form that its documentation shows, and what becomes of it. */
export interface Sample {
  /** In the address. */
  readonly service: string
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  readonly topic: string
  /** Markdown. */
  readonly content: string
}
