import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { ServerFacts } from '../server-facts.ts'

/** Page for people and crawlers without an account. */
export interface PageRoute {
  readonly path: string
  /** Returns undefined if spectators cannot see the page. */
  readonly find: (call: PageCall) => Promise<FoundPage | undefined>
}

export interface PageCall {
  readonly organization: OrganizationState
  readonly server: ServerFacts
  readonly db: Db
  readonly parameters: Readonly<Record<string, string>>
  /** Number of the requested part, from 1. */
  readonly page: number
}

export type FoundPage =
  | { readonly location: string }
  | {
      readonly type: 'html' | 'atom' | 'xml' | 'robots'
      readonly text: string
      readonly isHiddenFromSearchEngines?: boolean
      /** Whether the page is the same as at a position; absent if only making it again tells. */
      readonly isCurrent?: (since: number) => boolean
    }
