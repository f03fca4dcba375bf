import { call, isEvent } from '@parley/client'
import { heldMessages, reports as declared } from '@parley/server/contract'
import { useEffect, useId, useState } from 'preact/hooks'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { shortTimestamp } from '../kernel/time.ts'
import { sync } from '../platform/client.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { keyHintOf, titleWithHint } from '../platform/keys/keys.ts'
import { useFetched, useFetchedPages, type FetchedPage } from '../platform/list/fetched.ts'
import { mainLists } from '../platform/list/held-lists.ts'
import { useHeldOrder } from '../platform/list/held-order.tsx'
import { LoadMoreButton } from '../platform/list/more.tsx'
import { EmptyState, LoadFailure, LoadingRows } from '../platform/list/states.tsx'
import { FormDialog } from '../platform/overlay/form-dialog.tsx'
import { Tabs } from '../platform/overlay/tabs.tsx'
import { SESSION } from '../platform/sync/sync.ts'
import { channelById } from '../capabilities/channels/state.ts'
import { uploadLinksIn } from '../capabilities/composer/upload-links.ts'
import { deleteAfterDelay, isDeleting } from '../capabilities/message-edits/deleting.tsx'
import { deletePermit } from '../capabilities/message-edits/rules.ts'
import { moveToEdge } from '../capabilities/messages/open-list.ts'
import { placeTitle } from '../capabilities/places/title.tsx'
import { openPerson } from '../capabilities/users/card.ts'
import { isModerator, ownId, userName } from '../capabilities/users/state.ts'
import { canRun, commandOf, REPORT_STEPS, runStep, type ReportStep } from '../capabilities/reports/commands.ts'
import {
  approveMessage,
  changeReport,
  hasQueueFailed,
  loadQueue,
  messagesToReview,
  notedReport,
  rejectedMessage,
  rejectMessage,
  reportQueue,
  type HeldMessage,
  type Report,
  type ReportState,
} from '../capabilities/reports/queue.ts'
import { Header } from './header.tsx'
import './reports.css'

const FILTERS = ['open', 'new', 'taken', 'resolved', 'dismissed'] as const

export function ReportsView() {
  if (!isModerator()) {
    return (
      <>
        <Header title={t().app.notFound} />
        <EmptyState icon="report" title={t().app.notFound} more={t().app.notFoundMore} />
      </>
    )
  }
  return (
    <>
      <Header title={t().nav.reports} />
      <div class="view-scroll">
        <div class="topics">
          <Tabs
            label={tl().reports.filter}
            tabs={FILTERS.map((filter) => ({
              id: filter,
              title: tl().reports.filters[filter],
              show: () =>
                filter === 'resolved' || filter === 'dismissed' ? (
                  <ClosedReports state={filter} />
                ) : (
                  <OpenReports state={filter} />
                ),
            }))}
          />
        </div>
      </div>
      {notedReport.value !== undefined && <NoteDialog report={notedReport.value} />}
      {rejectedMessage.value !== undefined && <RejectionDialog message={rejectedMessage.value} />}
    </>
  )
}

function OpenReports({ state }: { readonly state: 'open' | 'new' | 'taken' }) {
  const queue = reportQueue.value
  const isLoaded = queue !== undefined
  useEffect(() => {
    if (isLoaded && document.activeElement === document.body) moveToEdge('first')
  }, [isLoaded])
  const listed = (queue ?? []).filter((report) => state === 'open' || report.state === state)
  const reports = useHeldOrder(mainLists, listed, ({ report_id: id }) => id, state)
  const held = useHeldOrder(mainLists, state === 'taken' ? [] : messagesToReview.value, keyOfHeld, state)
  if (!isLoaded) return hasQueueFailed.value ? <LoadFailure again={() => void loadQueue()} /> : <LoadingRows />
  return (
    <>
      {held.length > 0 && <HeldList messages={held} />}
      {(reports.length > 0 || held.length === 0) && <ReportList reports={reports} />}
    </>
  )
}

const keyOfHeld = ({ held_message_id: id }: HeldMessage): number => id

function HeldList({ messages }: { readonly messages: readonly HeldMessage[] }) {
  return (
    <ul class="report-list" aria-label={tl().reports.held}>
      {messages.map((message) => (
        <li key={message.held_message_id}>
          <HeldCard message={message} />
        </li>
      ))}
    </ul>
  )
}

function HeldCard({ message }: { readonly message: HeldMessage }) {
  const titleId = useId()
  const { held_message_id: id, author_id: author, stream_id: channelId, topic, content, held_at: at } = message
  return (
    <article class="report-card" data-row={id} data-held={id} tabIndex={0} aria-labelledby={titleId}>
      <h2 id={titleId} class="report-title">
        {tl().reports.held}
      </h2>
      <div class="report-place note">
        <span>{placeTitle({ view: 'topic', channelId, topic })}</span>
        <span>{shortTimestamp(at)}</span>
      </div>
      <Quote userId={author} content={content} />
      <LinkedFiles content={content} />
      <div class="report-steps" role="group" aria-labelledby={titleId}>
        <button class="button primary" onClick={() => void approveMessage(message)}>
          {tl().reports.approve}
        </button>
        <button
          class="button"
          onClick={() => {
            rejectedMessage.value = message
          }}
        >
          {tl().reports.reject}
        </button>
      </div>
    </article>
  )
}

function LinkedFiles({ content }: { readonly content: string }) {
  const files = uploadLinksIn(content)
  if (files.length === 0) return null
  return (
    <ul class="report-files" aria-label={t().nav.files}>
      {files.map(({ key, name, path }) => (
        <li key={key}>
          <a href={path} target="_blank" rel="noopener noreferrer">
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Quote({ userId, content }: { readonly userId: number; readonly content: string }) {
  return (
    <blockquote class="report-text">
      <button
        class="link-button"
        data-person={userId}
        onClick={({ currentTarget }) => openPerson(currentTarget, userId)}
      >
        <bdi>{userName(userId)}</bdi>
      </button>
      <bdi>{content}</bdi>
    </blockquote>
  )
}

function ClosedReports({ state }: { readonly state: ReportState }) {
  const fetchPage = async (last: Report | undefined, signal: AbortSignal): Promise<FetchedPage<Report>> => {
    const older = last === undefined ? {} : { before: last.report_id }
    const { reports, has_older } = await call(SESSION, declared.getMessageReports, { state, ...older }, { signal })
    return { items: reports, hasOlder: has_older }
  }
  const { value, hasFailed, again, page, more } = useFetchedPages(fetchPage, state)
  useEffect(() => sync.listen((event) => isEvent(event, declared.messageReportUpdated) && again()), [])
  if (value === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows />
  return (
    <>
      <ReportList reports={value.items} />
      {value.hasOlder && <LoadMoreButton label={tl().reports.older} page={page} isLoading={false} more={more} />}
    </>
  )
}

function ReportList({ reports }: { readonly reports: readonly Report[] }) {
  if (reports.length === 0) {
    return <EmptyState icon="report" title={tl().reports.empty} more={tl().reports.emptyMore} />
  }
  return (
    <ul class="report-list" aria-label={t().nav.reports}>
      {reports.map((report) => (
        <li key={report.report_id}>
          <ReportCard report={report} />
        </li>
      ))}
    </ul>
  )
}

function ReportCard({ report }: { readonly report: Report }) {
  const titleId = useId()
  const { report_id: id, sender_id: sender, content, date_sent: sent } = report
  const [isOpen, setOpen] = useState(false)
  return (
    <article class="report-card" data-row={id} data-report={id} tabIndex={0} aria-labelledby={titleId}>
      <h2 id={titleId} class="report-title">
        {tl().reports.reported(report.reporter_count, report.reasons.map((one) => tl().report.reasons[one]).join(', '))}
        <span class="note"> {stateText(report)}</span>
      </h2>
      <div class="report-place note">
        <ReportPlace report={report} />
        <span>{shortTimestamp(sent)}</span>
      </div>
      <Quote userId={sender} content={content} />
      <div class="report-steps" role="group" aria-labelledby={titleId}>
        <Steps report={report} />
        <button class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {tl().reports.history}
        </button>
      </div>
      {isOpen && <History report={report} />}
    </article>
  )
}

function stateText({ state, assignee_id: assignee }: Report): string {
  return tl().reports.states[state](assignee === null ? '' : userName(assignee))
}

function ReportPlace({ report: { stream_id: channelId, topic, message_id: near } }: { readonly report: Report }) {
  if (channelId === null) return <span>{tl().reports.direct}</span>
  const place = { view: 'topic', channelId, topic } as const
  if (channelById(channelId) === undefined) return <span>{tl().reports.hiddenPlace}</span>
  return <Link to={{ ...place, near }}>{placeTitle(place)}</Link>
}

function Steps({ report }: { readonly report: Report }) {
  const { state, stream_id: channelId, message_id: id } = report
  const isClosed = state === 'resolved' || state === 'dismissed'
  const message = { id, sender_id: report.sender_id, stream_id: channelId ?? 0, timestamp: report.date_sent }
  return (
    <>
      {REPORT_STEPS.filter((step) => step !== 'open' && canRun(step, report)).map((step) => {
        const hint = keyHintOf(commandOf(step))
        return (
          <button
            key={step}
            class={step === 'resolve' ? 'button primary' : 'button'}
            title={titleWithHint(stepTitle(step, report), hint)}
            onClick={() => runStep(step, report)}
          >
            {stepTitle(step, report)}
          </button>
        )
      })}
      {isClosed && (
        <button class="button" onClick={() => void changeReport(report, { state: 'new' })}>
          {tl().reports.reopen}
        </button>
      )}
      {channelId !== null && deletePermit(message) === 'granted' && !isDeleting(message) && (
        <button class="button" onClick={() => deleteAfterDelay(message)}>
          <Icon name="delete" size={16} />
          {tl().reports.deleteMessage}
        </button>
      )}
    </>
  )
}

function stepTitle(step: ReportStep, { state, assignee_id: assignee }: Report): string {
  if (step !== 'take' || state === 'new') return tl().reports.steps[step]
  return assignee === ownId() ? tl().reports.release : tl().reports.takeOver
}

function History({ report: { report_id: id } }: { readonly report: Report }) {
  const { value, hasFailed, again } = useFetched(
    async (signal) => call(SESSION, declared.getMessageReport, { report_id: id }, { signal }),
    id,
  )
  useEffect(
    () =>
      sync.listen((event) => {
        if (isEvent(event, declared.messageReportUpdated) && event.report.report_id === id) again()
      }),
    [id],
  )
  if (value === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={1} />
  return (
    <ol class="report-history" aria-label={tl().reports.history}>
      {value.entries.map((entry) => (
        <li key={entry.entry_id}>
          <span>
            <bdi>{entryText(entry)}</bdi> <span class="note">{shortTimestamp(entry.timestamp)}</span>
          </span>
          {entry.content !== '' && (
            <div class="report-note" dir="auto">
              {entry.content}
            </div>
          )}
          {entry.message_content !== null && (
            <div class="report-note">
              <span class="note">{tl().reports.newText}</span> <bdi>{entry.message_content}</bdi>
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

function entryText({ kind, user_id: userId, reason, assignee_id: assignee }: declared.ReportEntry): string {
  const who = userName(userId)
  if (kind === 'reported') return tl().reports.entries.reported(who, tl().report.reasons[reason ?? 'other'])
  if (kind === 'taken' && assignee !== null && assignee !== userId) {
    return tl().reports.entries.assigned(who, userName(assignee))
  }
  return tl().reports.entries[kind](who)
}

function NoteDialog({ report: { report_id: id } }: { readonly report: Report }) {
  return (
    <TextDialog
      title={tl().reports.steps.note}
      action={tl().reports.saveNote}
      label={tl().reports.noteLabel}
      more={tl().reports.noteMore}
      most={declared.MAX_NOTE_CHARACTERS}
      isRequired
      save={async (content) => call(SESSION, declared.addReportNote, { report_id: id, content })}
      onClose={() => {
        notedReport.value = undefined
      }}
    />
  )
}

function RejectionDialog({ message }: { readonly message: HeldMessage }) {
  return (
    <TextDialog
      title={tl().reports.rejectTitle}
      action={tl().reports.reject}
      label={tl().reports.reason}
      more={tl().reports.rejectMore}
      most={heldMessages.MAX_REJECTION_CHARACTERS}
      save={async (reason) => rejectMessage(message, reason)}
      onClose={() => {
        rejectedMessage.value = undefined
      }}
    />
  )
}

interface TextDialogProps {
  readonly title: string
  readonly action: string
  readonly label: string
  readonly more: string
  readonly most: number
  readonly isRequired?: boolean
  readonly save: (text: string) => Promise<unknown>
  readonly onClose: () => void
}

function TextDialog({ title, action, label, more, most, isRequired = false, save, onClose }: TextDialogProps) {
  const [text, setText] = useState('')
  const submit = async (): Promise<void> => {
    await save(text)
    onClose()
  }
  return (
    <FormDialog title={title} action={action} onClose={onClose} save={submit}>
      <label class="field">
        <span>{label}</span>
        <textarea
          class="input"
          rows={4}
          required={isRequired}
          autofocus
          dir="auto"
          maxLength={most}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="note">{more}</p>
    </FormDialog>
  )
}
