import type { DueJob } from './pieces.ts'

/** Limits that keep any one person or external host from taking all capacity. */
export interface ConcurrencyLimits {
  readonly maxUnits: number
  readonly maxUnitsPerOrganization: number
  readonly maxUnitsPerHost: number
  readonly maxUnitsPerPerson: number
  readonly maxUnitsPerPersonAndHost: number
}

interface ShareLimit {
  readonly key: string
  readonly maxUnits: number
}

function shareLimitsFor({ organizationId, person, host }: DueJob, limits: ConcurrencyLimits): readonly ShareLimit[] {
  return [
    { key: `${organizationId}`, maxUnits: limits.maxUnitsPerOrganization },
    { key: `${organizationId}@${host}`, maxUnits: limits.maxUnitsPerHost },
    { key: `${organizationId}/${person}`, maxUnits: limits.maxUnitsPerPerson },
    { key: `${organizationId}/${person}@${host}`, maxUnits: limits.maxUnitsPerPersonAndHost },
  ]
}

const SHARES_SQL = `array[
  d.organization_id::text, d.organization_id || '@' || d.host, d.organization_id || '/' || d.person,
  d.organization_id || '/' || d.person || '@' || d.host]`

/**
 * Builds SQL for a page of units: people take turns, and so do each person's hosts. `due` selects organization_id, id,
 * due_at, person, host of all due units; `$2` lists keys (`shareLimitsFor`) at their limit, whose units would fill the page.
 */
export function fairPageSql(due: string, limits: ConcurrencyLimits): string {
  return `
  select page.organization_id as "organizationId", page.id, page.person, page.host from (
    select turns.*, row_number() over (
      partition by turns.organization_id order by turns.turn, turns.due_at, turns.id) as place
    from (
      select hosts.*, row_number() over (
        partition by hosts.organization_id, hosts.person order by hosts.spot, hosts.due_at, hosts.id) as turn
      from (
        select d.*, row_number() over (
          partition by d.organization_id, d.person, d.host order by d.due_at, d.id) as spot
        from (${due}) d where not ${SHARES_SQL} && $2::text[]
      ) hosts
      where hosts.spot <= ${limits.maxUnitsPerPersonAndHost}
    ) turns
    where turns.turn <= ${limits.maxUnitsPerPerson}
  ) page
  where page.place <= ${limits.maxUnitsPerOrganization}
  order by page.turn, page.due_at, page.id limit ${limits.maxUnits}`
}

/** Extracts the host for sharing capacity only: unusual spellings count as different hosts. */
export function hostSql(url: string): string {
  return `lower(split_part(split_part(${url}, '/', 3), '?', 1))`
}

export class PiecesConcurrencyLimits {
  readonly #limits: ConcurrencyLimits
  readonly #doing = new Map<string, Promise<void>>()
  readonly #taken = new Map<string, number>()
  readonly #full = new Set<string>()
  #hasEnded = false

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  get full(): readonly string[] {
    return [...this.#full]
  }

  begin(due: readonly DueJob[], work: (piece: DueJob) => Promise<void>): void {
    for (const piece of due) {
      const key = `${piece.organizationId}:${piece.id}`
      if (this.#doing.size >= this.#limits.maxUnits) return
      const shares = shareLimitsFor(piece, this.#limits)
      if (this.#doing.has(key) || shares.some((share) => this.#full.has(share.key))) continue
      for (const share of shares) this.#take(share, 1)
      const done = work(piece).finally(() => {
        for (const share of shares) this.#take(share, -1)
        this.#doing.delete(key)
        this.#hasEnded = true
      })
      this.#doing.set(key, done)
    }
  }

  /** Whether a unit is running, or has ended since the last call of `takeEnded`. */
  get isBusy(): boolean {
    return this.#hasEnded || this.#doing.size > 0
  }

  /** Whether a unit has ended, and so freed capacity, since the last call. */
  takeEnded(): boolean {
    const hasEnded = this.#hasEnded
    this.#hasEnded = false
    return hasEnded
  }

  #take({ key, maxUnits }: ShareLimit, more: number): void {
    const count = (this.#taken.get(key) ?? 0) + more
    if (count === 0) this.#taken.delete(key)
    else this.#taken.set(key, count)
    if (count >= maxUnits) this.#full.add(key)
    else this.#full.delete(key)
  }

  async idle(): Promise<void> {
    await Promise.all(this.#doing.values())
  }
}
