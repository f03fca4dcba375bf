import type { AllowedDestinations } from './addresses.ts'

export interface OutsideOptions {
  readonly allowed: AllowedDestinations
  readonly userAgent: string
  /** DNS servers; defaults to the system's. */
  readonly nameServers?: readonly string[]
  /** Trusted CA certificates; defaults to Node's. */
  readonly certificates?: string
}
