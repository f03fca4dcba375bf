import { signal } from '@preact/signals'

/** Lists in one element of the page. They change their order together. */
export class HeldLists {
  readonly id: string
  /** Number of rows that the new order adds or moves up. */
  readonly newRowCount = signal(0)
  readonly version = signal(0)
  isOutdated = false

  constructor(id: string) {
    this.id = id
  }
}

export const mainLists = new HeldLists('main')
export const sidebarLists = new HeldLists('sidebar')
