import { call, fold, isEvent, type ApiEvent } from '@parley/client'
import { channels, heldMessages, reports as declared, users } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals'
import { tl } from '../../kernel/later-texts.ts'
import { sync } from '../../platform/client.ts'
import { mainLists } from '../../platform/list/held-lists.ts'
import { showNewOrder } from '../../platform/list/held-order.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION, type PredictedEvent } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { reportCount } from '../navigation-views/state.ts'
import { isModerator, ownId } from '../users/state.ts'

export type Report = declared.MessageReport
export type ReportState = declared.ReportState
export type HeldMessage = heldMessages.HeldMessage

/** Older reports are loaded once these are closed. */
const MAX_OPEN_REPORTS = 500

/** Undefined until loaded, and for people who are not moderators. */
const openReports = signal<readonly Report[] | undefined>(undefined)
const heldQueue = signal<readonly HeldMessage[]>([])
const hasFailed = signal(false)

/** Oldest first, so that new reports move nothing. */
export const reportQueue = computed(() => openReports.value?.toReversed())
export const messagesToReview: ReadonlySignal<readonly HeldMessage[]> = heldQueue
export const hasQueueFailed: ReadonlySignal<boolean> = hasFailed

/** Events received during the newest request. */
let pendingEvents: ApiEvent[] | undefined

export function followReports(): void {
  effect(() => {
    reportCount.value = (openReports.value?.length ?? 0) + heldQueue.value.length
  })
  sync.listen(handleEvent)
  sync.onBeginning(() => void loadQueue())
  effect(() => {
    const loads = isModerator() && sync.isConnected.value
    untracked(() => {
      if (!isModerator()) {
        openReports.value = undefined
        heldQueue.value = []
      } else if (loads && (openReports.peek() === undefined || hasFailed.peek())) void loadQueue()
    })
  })
}

function handleEvent(event: ApiEvent): void {
  if (event.type === 'message_reports' || event.type === 'held_messages') {
    pendingEvents?.push(event)
    applyEvent(event)
  } else if (isEvent(event, channels.subscriptionAdded) || isEvent(event, channels.subscriptionRemoved)) {
    // Moderators see the reports of the messages that they can read.
    void loadQueue()
  } else if (isEvent(event, users.userUpdated) && event.person.user_id === ownId()) void loadQueue()
}

function applyEvent(event: ApiEvent): void {
  const known = openReports.peek()
  if (known === undefined) return
  const state = { message_reports: [...known], held_message_queue: [...heldQueue.peek()] }
  fold(state, event, { includeSubscribers: false })
  openReports.value = state.message_reports
  heldQueue.value = state.held_message_queue
}

/** Applies a change before its event arrives, and shows the new order, which the user expects. */
function applyOwnChange(event: PredictedEvent): void {
  applyEvent({ ...event, id: -1 })
  showNewOrder(mainLists)
}

/** Known reports stay visible until the new ones arrive. */
export async function loadQueue(): Promise<void> {
  if (!isModerator()) return
  const during: ApiEvent[] = []
  pendingEvents = during
  const loaded: Report[] = []
  try {
    for (let hasOlder = true; hasOlder && loaded.length < MAX_OPEN_REPORTS;) {
      const last = loaded.at(-1)
      const page = await call(SESSION, declared.getMessageReports, last === undefined ? {} : { before: last.report_id })
      loaded.push(...page.reports)
      hasOlder = page.has_older
    }
    const { held_messages: held } = await call(SESSION, heldMessages.getHeldMessageQueue, {})
    // A later request replaces this one.
    if (pendingEvents !== during) return
    openReports.value = loaded
    heldQueue.value = held
    hasFailed.value = false
    // The responses can lack these events or already include them; they are idempotent.
    for (const event of during) applyEvent(event)
  } catch {
    if (pendingEvents === during) hasFailed.value = true
  }
  if (pendingEvents === during) pendingEvents = undefined
}

type Change = Pick<Input<typeof declared.updateMessageReport>, 'state' | 'assignee_id'>

/** Changes the report unless another moderator was faster, and offers to undo the change. */
export async function changeReport(report: Report, change: Change): Promise<void> {
  const input = { report_id: report.report_id, old_state: report.state, old_assignee_id: report.assignee_id, ...change }
  if ((await callOrToast(declared.updateMessageReport, input)) === undefined) return
  const assigneeAfter = change.state === 'new' ? null : (change.assignee_id ?? report.assignee_id ?? ownId())
  const changed = { ...report, state: change.state, assignee_id: assigneeAfter }
  applyOwnChange({ type: 'message_reports', op: 'update', report: changed })
  offerUndo(tl().reports.changed[change.state], async () =>
    call(SESSION, declared.updateMessageReport, {
      report_id: report.report_id,
      state: report.state,
      ...(report.assignee_id === null || report.state === 'new' ? {} : { assignee_id: report.assignee_id }),
      old_state: change.state,
      old_assignee_id: assigneeAfter,
    }),
  )
}

/** Takes the report, also from another moderator, or releases it. */
export function takeOrRelease(report: Report): Promise<void> {
  const isMine = report.state === 'taken' && report.assignee_id === ownId()
  return changeReport(report, isMine ? { state: 'new' } : { state: 'taken', assignee_id: ownId() })
}

/** Sends the message now, from its author. */
export async function approveMessage(message: HeldMessage): Promise<void> {
  const { held_message_id } = message
  if ((await callOrToast(heldMessages.approveHeldMessage, { held_message_id })) === undefined) return
  removeReviewed(message)
  toast(tl().reports.approved)
}

export async function rejectMessage(message: HeldMessage, reason: string): Promise<void> {
  await call(SESSION, heldMessages.rejectHeldMessage, { held_message_id: message.held_message_id, reason })
  removeReviewed(message)
}

function removeReviewed({ held_message_id, stream_id }: HeldMessage): void {
  applyOwnChange({ type: 'held_messages', op: 'queue_remove', held_message_id, stream_id })
}

/** Message whose rejection is being explained. */
export const rejectedMessage = signal<HeldMessage | undefined>(undefined)

/** Report whose note is being written. */
export const notedReport = signal<Report | undefined>(undefined)
