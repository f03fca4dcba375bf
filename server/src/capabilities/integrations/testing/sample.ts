export interface Sample {
  readonly service: string
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  readonly topic: string
  readonly content: string
}
