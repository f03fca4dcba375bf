/** A payload, handwritten from the service's documentation, and the expected message. */
export interface Sample {
  /** Name in the URL. */
  readonly service: string
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  readonly topic: string
  /** Markdown. */
  readonly content: string
}
