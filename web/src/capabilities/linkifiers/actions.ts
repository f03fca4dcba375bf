import { call } from '@parley/client'
import { linkifiers } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'

export type Linkifier = linkifiers.Linkifier
export type LinkifierDraft = Omit<Linkifier, 'id'>

export async function addLinkifier(draft: LinkifierDraft): Promise<number> {
  const { id } = await call(SESSION, linkifiers.addLinkifier, draft)
  return id
}

export async function changeLinkifier(id: number, draft: LinkifierDraft): Promise<void> {
  await call(SESSION, linkifiers.updateLinkifier, { filter_id: id, ...draft })
}

export async function removeLinkifier({ id, ...draft }: Linkifier): Promise<void> {
  const before = currentOrder()
  await call(SESSION, linkifiers.removeLinkifier, { filter_id: id })
  offerUndo(ta().content.linkifierRemoved(draft.pattern), async () => {
    const again = await addLinkifier(draft)
    await sendOrder(before.map((one) => (one === id ? again : one)))
  })
}

export async function reorderLinkifiers(ordered: readonly Linkifier[]): Promise<void> {
  const before = store().read('realm_linkifiers')
  const show = (all: readonly Linkifier[]): void =>
    sync.predict({ type: 'realm_linkifiers', realm_linkifiers: [...all] })
  show(ordered)
  try {
    await sendOrder(ordered.map(({ id }) => id))
  } catch (error) {
    show(before)
    throw error
  }
  offerUndo(ta().content.linkifiersOrdered, async () => sendOrder(before.map(({ id }) => id)), { isQuiet: true })
}

function currentOrder(): readonly number[] {
  return store()
    .read('realm_linkifiers')
    .map(({ id }) => id)
}

async function sendOrder(ids: readonly number[]): Promise<void> {
  await call(SESSION, linkifiers.reorderLinkifiers, { ordered_linkifier_ids: [...ids] })
}
