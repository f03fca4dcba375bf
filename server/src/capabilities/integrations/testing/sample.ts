import { createHmac } from 'node:crypto'

export interface Sample {
  readonly service: string
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
  readonly topic: string
  readonly content: string
}

/** Returns the headers that sign a request. */
export type Signer = (body: string, secret: string) => Record<string, string>

export function hmac(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
