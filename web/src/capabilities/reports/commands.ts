import type { Command } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { isModerator } from '../users/state.ts'
import {
  approveMessage,
  changeReport,
  messagesToReview,
  notedReport,
  rejectedMessage,
  reportQueue,
  takeOrRelease,
  type HeldMessage,
  type Report,
} from './queue.ts'

export const REPORT_STEPS = ['take', 'resolve', 'dismiss', 'note', 'open'] as const
export type ReportStep = (typeof REPORT_STEPS)[number]

const STEP_SHORTCUTS: Readonly<Record<ReportStep, Pick<Command, 'id' | 'keys'>>> = {
  take: { id: 'reports.take', keys: ['Shift+t'] },
  resolve: { id: 'reports.resolve', keys: ['e'] },
  dismiss: { id: 'reports.dismiss', keys: ['Shift+e'] },
  note: { id: 'reports.note', keys: ['w'] },
  open: { id: 'reports.open', keys: ['o'] },
}

/** Runs a step. A report that leaves the queue gives the focus to the next one. */
export function runStep(step: ReportStep, report: Report): void {
  switch (step) {
    case 'take':
      void takeOrRelease(report)
      return
    case 'resolve':
    case 'dismiss':
      focusNext(report)
      void changeReport(report, { state: step === 'resolve' ? 'resolved' : 'dismissed' })
      return
    case 'note':
      notedReport.value = report
      return
    case 'open':
      if (report.stream_id !== null) {
        go({ view: 'topic', channelId: report.stream_id, topic: report.topic, near: report.message_id })
      }
  }
}

export function canRun(step: ReportStep, { state, stream_id: channelId }: Report): boolean {
  if (step === 'open') return channelId !== null
  return step === 'note' || state === 'new' || state === 'taken'
}

const rowOf = (id: number): HTMLElement | null => document.querySelector(`[data-report="${id}"]`)

function focusNext({ report_id: id }: Report): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-report]')]
  const at = rows.findIndex((row) => row === rowOf(id))
  const next = rows[at + 1] ?? rows[at - 1]
  next?.focus()
}

function focusedReport(): Report | undefined {
  if (!isModerator() || shownRoute().view !== 'reports') return undefined
  const row = document.activeElement?.closest<HTMLElement>('[data-report]')
  return reportQueue.value?.find(({ report_id: id }) => String(id) === row?.dataset['report'])
}

function focusedMessage(): HeldMessage | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-held]')
  return messagesToReview.value.find(({ held_message_id: id }) => String(id) === row?.dataset['held'])
}

const REVIEW_STEPS: Partial<Record<ReportStep, (message: HeldMessage) => void>> = {
  resolve: (message) => void approveMessage(message),
  dismiss(message) {
    rejectedMessage.value = message
  },
}

export function commandOf(step: ReportStep): Command {
  return {
    ...STEP_SHORTCUTS[step],
    title: () => `${t().nav.reports}: ${tl().reports.keys[step]}`,
    when: () => {
      const report = focusedReport()
      if (report !== undefined) return canRun(step, report)
      return REVIEW_STEPS[step] !== undefined && focusedMessage() !== undefined
    },
    run() {
      const [report, message] = [focusedReport(), focusedMessage()]
      if (report !== undefined) runStep(step, report)
      else if (message !== undefined) REVIEW_STEPS[step]?.(message)
    },
  }
}

export const REPORT_COMMANDS: readonly Command[] = REPORT_STEPS.map(commandOf)
