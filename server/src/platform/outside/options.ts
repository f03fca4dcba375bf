import type { AllowedDestinations } from './addresses.ts'

export interface OutsideOptions {
  readonly allowed: AllowedDestinations
  /** The `User-Agent` of all requests. */
  readonly userAgent: string
  /** Where names are asked for, in place of the servers that the system names. */
  readonly nameServers?: readonly string[]
  /** Of the authorities that are trusted, in place of those that Node knows. */
  readonly certificates?: string
}
