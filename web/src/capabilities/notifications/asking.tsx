import { isEvent } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { loadAdministration, ta } from '../../kernel/administration.ts'
import type { Message } from '../../kernel/message.ts'
import { messages, store, sync } from '../../platform/client.ts'
import { isNarrow } from '../../platform/frame.ts'
import { announce } from '../../platform/overlay/announce.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { lateOverlays } from '../../platform/registry.ts'
import { shownRoute } from '../../platform/router.ts'
import { isMutedUser, ownId } from '../users/state.ts'
import { pushState, readPush, supportsPush, turnOnPush } from './push.ts'
import { desktopForMe, areNotificationsPaused } from './wanted.ts'
import './asking.css'

const ASK_AGAIN_DELAY_MILLISECONDS = 14 * 86_400_000
const MAX_REFUSALS = 2
/** At startup, looks for a reason to ask in at most this many of the newest unread messages. */
const MAX_CHECKED_UNREAD_MESSAGES = 5

const reasonToAsk = signal<Pick<Message, 'sender_full_name' | 'stream_id'> | undefined>(undefined)

/** After a mention or direct message, asks for permission to show notifications. */
export function askAfterMessages(): void {
  sync.listen((event) => {
    if (isEvent(event, declared.messageSent)) void askAfterMessage({ ...event.message, flags: event.flags })
  })
  // The person may have answered in the settings or in another tab.
  const withdraw = (): void => {
    if (!mayAskForPermission()) reasonToAsk.value = undefined
  }
  window.addEventListener('storage', withdraw)
  navigator.permissions.query({ name: 'notifications' }).then(
    (permission) => permission.addEventListener('change', withdraw),
    () => undefined,
  )
  // If this fails, the client asks after the next message instead.
  askAboutUnread().catch(() => undefined)
}

async function askAboutUnread(): Promise<void> {
  const { channels, directs } = store().read('unread_conversations')
  const mentions = channels.flatMap(({ topics }) => topics.flatMap((topic) => topic.mentions ?? []))
  const ids = [...mentions, ...directs.map(({ last_id: id }) => id)].toSorted((one, other) => other - one)
  const newest = ids.slice(0, MAX_CHECKED_UNREAD_MESSAGES)
  if (newest.length === 0 || !mayAskForPermission()) return
  await messages.fetch(newest)
  for (const id of newest) {
    const message = messages.get(id)?.peek()
    if (message !== undefined) await askAfterMessage(message)
  }
}

async function askAfterMessage(message: Message): Promise<void> {
  const { sender_id: senderId, stream_id: channelId, flags } = message
  const isForMe = channelId === undefined || flags.includes('mentioned')
  const isOfBot = store()
    .read('cross_realm_bots')
    .some(({ user_id: id }) => id === senderId)
  if (!isForMe || isOfBot || senderId === ownId() || isMutedUser(senderId) || !mayAskForPermission()) return
  await loadAdministration()
  if (reasonToAsk.value !== undefined || !mayAskForPermission()) return
  reasonToAsk.value = message
  if (!lateOverlays.value.includes(PermissionQuestion)) lateOverlays.value = [...lateOverlays.value, PermissionQuestion]
}

function mayAskForPermission(): boolean {
  const { count, at } = storedRefusals()
  const isTime = count === 0 || (count < MAX_REFUSALS && Date.now() - at >= ASK_AGAIN_DELAY_MILLISECONDS)
  return Notification.permission === 'default' && desktopForMe.read() && !areNotificationsPaused() && isTime
}

interface Refusals {
  readonly count: number
  /** Time of the last refusal, in milliseconds. */
  readonly at: number
}

/** Key in localStorage, which survives signing out and notifies other tabs. */
const refusalsKey = (): string => `notifications-refused-${ownId()}`

function storedRefusals(): Refusals {
  try {
    const [count = 0, at = 0] = (localStorage.getItem(refusalsKey()) ?? '').split(' ').map(Number)
    return { count, at }
  } catch {
    return unstoredRefusals
  }
}

/** Used in browsers without storage. */
let unstoredRefusals: Refusals = { count: 0, at: 0 }

function recordRefusal(): void {
  unstoredRefusals = { count: storedRefusals().count + 1, at: Date.now() }
  try {
    localStorage.setItem(refusalsKey(), `${unstoredRefusals.count} ${unstoredRefusals.at}`)
  } catch {}
}

function refuseNotifications(): void {
  recordRefusal()
  reasonToAsk.value = undefined
}

/** Requests permission first, because browsers show their prompt only right after a click. */
async function acceptNotifications(): Promise<void> {
  reasonToAsk.value = undefined
  const permission = await Notification.requestPermission()
  if (permission === 'default') recordRefusal()
  if (permission === 'denied') toast(ta().notifications.refused)
  if (permission !== 'granted') return
  toast(ta().notifications.turnedOn)
  if (!supportsPush()) return
  await readPush()
  const { value: known } = pushState
  if (typeof known === 'object' && (await turnOnPush(known.application_server_key)) === 'browser')
    toast(ta().push.noService)
}

function PermissionQuestion() {
  return reasonToAsk.value === undefined ? null : <WaitingQuestion message={reasonToAsk.value} />
}

function WaitingQuestion({ message }: { readonly message: NonNullable<typeof reasonToAsk.value> }) {
  if (!useHasFreeSpace()) return null
  const { asking } = ta().notifications
  const reason = (message.stream_id === undefined ? asking.direct : asking.mention)(message.sender_full_name)
  return <Question reason={reason} />
}

/** Whether the question can appear: only after the pointer has left the sidebar, and on phones only in the inbox. */
function useHasFreeSpace(): boolean {
  const [isFree, setFree] = useState(false)
  useEffect(() => {
    const look = (): void => setFree((before) => before || document.querySelector('.sidebar:hover') === null)
    look()
    document.addEventListener('pointerover', look)
    return () => document.removeEventListener('pointerover', look)
  }, [])
  return isFree && (!isNarrow.value || shownRoute().view === 'inbox')
}

function Question({ reason }: { readonly reason: string }) {
  const element = useRef<HTMLDivElement>(null)
  const before = useRef<EventTarget | null>(null)
  useEffect(() => announce(reason), [reason])
  useLayoutEffect(() => {
    const { current: question } = element
    if (question === null) return undefined
    const { style } = document.documentElement
    const watching = new ResizeObserver(() => style.setProperty('--question-height', `${question.offsetHeight}px`))
    watching.observe(question)
    return () => {
      watching.disconnect()
      style.removeProperty('--question-height')
    }
  }, [])
  const answer = (act: () => unknown): void => {
    if (before.current instanceof HTMLElement) before.current.focus()
    void act()
  }
  const { asking } = ta().notifications
  return (
    <div
      ref={element}
      class="question"
      role="group"
      aria-label={ta().notifications.title}
      onFocusIn={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && element.current?.contains(relatedTarget) === true
        if (!isInside) before.current = relatedTarget
      }}
    >
      <p>{reason}</p>
      <div class="question-answers">
        <button class="button primary" onClick={() => answer(acceptNotifications)}>
          {asking.accept}
        </button>
        <button class="button quiet" onClick={() => answer(refuseNotifications)}>
          {asking.refuse}
        </button>
      </div>
    </div>
  )
}
