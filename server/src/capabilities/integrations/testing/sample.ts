/** Payload from the service's documentation, with the expected message. */
export interface Sample {
  readonly service: string
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  readonly topic: string
  /** Markdown. */
  readonly content: string
}
