import { reports } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { useState } from 'preact/hooks'
import { contentOf, type Message } from '../../../kernel/message.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { textOf } from '../../../platform/dom/html.ts'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { callOrToast } from '../../../platform/requests.ts'
import { closeReport } from '../state.ts'
import './report.css'

type Reason = Input<typeof reports.reportMessage>['report_type']

const REPORT_REASONS: readonly Reason[] = ['spam', 'harassment', 'inappropriate', 'norms', 'other']

export function Report({ message }: { readonly message: Message }) {
  const [reason, setReason] = useState<Reason>('spam')
  const [description, setDescription] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isMissing = reason === 'other' && description.trim() === ''
  const submit = async (): Promise<void> => {
    setBusy(true)
    const input = { message_id: message.id, report_type: reason, description }
    const isSent = (await callOrToast(reports.reportMessage, input)) !== undefined
    setBusy(false)
    if (!isSent) return
    closeReport()
    toast(tl().report.sent)
  }
  return (
    <Dialog title={tl().report.title} onClose={closeReport}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isMissing) void submit()
        }}
      >
        <blockquote class="report-message">
          <strong>
            <bdi>{message.sender_full_name}</bdi>
          </strong>{' '}
          <bdi>{textOf(contentOf(message))}</bdi>
        </blockquote>
        <fieldset class="report-reasons">
          <legend>{tl().report.why}</legend>
          {REPORT_REASONS.map((one) => (
            <label key={one} class="report-reason">
              <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
              <span>{tl().report.reasons[one]}</span>
            </label>
          ))}
        </fieldset>
        <label class="field">
          <span>{reason === 'other' ? tl().report.explanation : tl().report.explanationOptional}</span>
          <textarea
            class="input"
            rows={3}
            maxLength={reports.MAX_EXPLANATION_CHARACTERS}
            required={reason === 'other'}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </label>
        <p class="note">{tl().report.who}</p>
        <DialogActions action={tl().report.send} isDisabled={isBusy || isMissing} onCancel={closeReport} />
      </form>
    </Dialog>
  )
}
