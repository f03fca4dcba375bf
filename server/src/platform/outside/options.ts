import type { AllowedDestinations } from './addresses.ts'

export interface OutsideOptions {
  readonly allowed: AllowedDestinations
  readonly userAgent: string
  readonly nameServers?: readonly string[]
  readonly certificates?: string
}
