import { call } from '@parley/client'
import { users } from '@parley/server/contract'
import { effect, signal, untracked } from '@preact/signals'
import { t } from '../../kernel/strings.ts'
import { store, sync } from '../../platform/client.ts'
import { preference, serverSetting } from '../../platform/preferences.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import type { Emoji } from '../reactions/state.ts'
import { ownId } from './state.ts'

export const isStatusDialogOpen = signal(false)

export const showsPresence = serverSetting('presence_enabled', true)

export function statusOf(userId: number): users.Status | undefined {
  const status = store().read('user_status')[String(userId)]
  return status?.status_text === undefined && status?.emoji_name === undefined ? undefined : status
}

export function emojiOf({ emoji_name: name, emoji_code: code, reaction_type: type }: users.Status): Emoji | undefined {
  return name === undefined || code === undefined || type === undefined ? undefined : { name, code, type }
}

/** UNIX seconds; 0 for no expiry. Stored as a preference, because the server does not expire statuses. */
export const statusExpiry = preference(
  'statusUntil',
  0,
  (kept): kept is number => typeof kept === 'number' && Number.isFinite(kept),
)

/** Sets the status, or clears it if both text and emoji are missing, and offers to restore the former status. */
export async function changeStatus(text: string, emoji: Emoji | undefined, until: number): Promise<boolean> {
  const before = statusOf(ownId())
  const formerUntil = statusExpiry.read()
  const isCleared = text === '' && emoji === undefined
  if ((await callOrToast(users.updateOwnStatus, statusRequest(text, emoji))) === undefined) return false
  await statusExpiry.write(isCleared ? 0 : until)
  offerUndo(isCleared ? t().people.statusCleared : t().people.statusSet, async () => {
    const former = statusRequest(before?.status_text ?? '', before === undefined ? undefined : emojiOf(before))
    await call(SESSION, users.updateOwnStatus, former)
    await statusExpiry.write(formerUntil)
  })
  return true
}

function statusRequest(text: string, emoji: Emoji | undefined) {
  const { name = '', code = '', type = 'unicode_emoji' } = emoji ?? {}
  return {
    status_text: text,
    emoji_name: name,
    ...(name === '' ? {} : { emoji_code: code, reaction_type: type }),
  }
}

const EXPIRY_CHECK_INTERVAL_MILLISECONDS = 15_000

/** Clears the status when it expires, or at the next start if no client is open. Retries failed requests silently. */
export function clearStatusOnExpiry(): void {
  const clearIfExpired = (): void => {
    const until = statusExpiry.read()
    if (!sync.leads.value || !sync.isConnected.value || until === 0 || until > Date.now() / 1000) return
    clearStatus().catch(() => undefined)
  }
  effect(() => {
    if (sync.leads.value && sync.isConnected.value) untracked(clearIfExpired)
  })
  setInterval(clearIfExpired, EXPIRY_CHECK_INTERVAL_MILLISECONDS)
}

async function clearStatus(): Promise<void> {
  if (statusOf(ownId()) !== undefined) await call(SESSION, users.updateOwnStatus, { status_text: '', emoji_name: '' })
  await statusExpiry.write(0)
}
