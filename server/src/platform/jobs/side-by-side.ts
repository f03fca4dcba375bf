import type { Due } from './due.ts'

/** How many pieces of a job are done at once, so that nobody and no host outside takes all the room. */
export interface SideBySide {
  readonly most: number
  /** For one organization. */
  readonly mostOfOne: number
  /** For one organization at one host. */
  readonly mostAtHost: number
  /** For one person. */
  readonly mostOfPerson: number
  /** For one person at one host. */
  readonly mostOfPersonAtHost: number
}

/** A share of the room: of an organization, of a person, at a host. */
interface Share {
  /** As `SHARES` has it in SQL. */
  readonly key: string
  readonly most: number
}

function sharesOf({ organizationId, person, host }: Due, limits: SideBySide): readonly Share[] {
  return [
    { key: `${organizationId}`, most: limits.mostOfOne },
    { key: `${organizationId}@${host}`, most: limits.mostAtHost },
    { key: `${organizationId}/${person}`, most: limits.mostOfPerson },
    { key: `${organizationId}/${person}@${host}`, most: limits.mostOfPersonAtHost },
  ]
}

/** The keys of the shares that `d` has a part in. */
const SHARES = `array[
  d.organization_id::text, d.organization_id || '@' || d.host, d.organization_id || '/' || d.person,
  d.organization_id || '/' || d.person || '@' || d.host]`

/**
 * The SQL that finds the next pieces: people take turns, and so do the hosts that one person's pieces go to. `$2` is the keys of
 * the shares that are full: what waits for them must not fill the page.
 * @param due SQL for all pieces that are due: organization_id, id, due_at, person, host
 */
export function pageSharing(due: string, limits: SideBySide): string {
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
        from (${due}) d where not ${SHARES} && $2::text[]
      ) hosts
      where hosts.spot <= ${limits.mostOfPersonAtHost}
    ) turns
    where turns.turn <= ${limits.mostOfPerson}
  ) page
  where page.place <= ${limits.mostOfOne} order by page.turn, page.due_at, page.id limit ${limits.most}`
}

/**
 * SQL for the host and port of an address. It is for sharing alone: a strange spelling of an address is a host of its own.
 * @param url SQL for the address
 */
export function hostSql(url: string): string {
  return `lower(split_part(split_part(${url}, '/', 3), '?', 1))`
}

/** The pieces of one job that are being done, each by itself: a piece that takes long holds up no other. */
export class PiecesSideBySide {
  readonly #limits: SideBySide
  readonly #doing = new Map<string, Promise<void>>()
  /** How many pieces take room of a share, by its key. */
  readonly #taken = new Map<string, number>()
  /** The keys of the shares without room. */
  readonly #full = new Set<string>()
  #hasEnded = false

  constructor(limits: SideBySide) {
    this.#limits = limits
  }

  /** The keys of the shares that have no room, for `pageSharing`. */
  get full(): readonly string[] {
    return [...this.#full]
  }

  /** Begins with what there is room for; the rest is found at another look. `work` reports its own errors. */
  begin(due: readonly Due[], work: (piece: Due) => Promise<void>): void {
    for (const piece of due) {
      const key = `${piece.organizationId}:${piece.id}`
      if (this.#doing.size >= this.#limits.most) return
      const shares = sharesOf(piece, this.#limits)
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

  /** Whether a piece is being done, or has ended and nobody has asked since. */
  get isBusy(): boolean {
    return this.#hasEnded || this.#doing.size > 0
  }

  /** Whether a piece has ended since it was asked last, so that there is room for another. */
  takeEnded(): boolean {
    const hasEnded = this.#hasEnded
    this.#hasEnded = false
    return hasEnded
  }

  #take({ key, most }: Share, more: number): void {
    const count = (this.#taken.get(key) ?? 0) + more
    if (count === 0) this.#taken.delete(key)
    else this.#taken.set(key, count)
    if (count >= most) this.#full.add(key)
    else this.#full.delete(key)
  }

  /** Resolves when nothing is being done any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#doing.values())
  }
}
