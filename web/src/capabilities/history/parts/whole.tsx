import { useSignalEffect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { placeName } from '../../places/title.tsx'
import { ConversationExport } from '../whole/conversation-export.ts'
import { closeExport, EXPORT_FORMATS, exportRequest, type ExportFormat } from '../actions.ts'
import './whole.css'

const FORMAT_ICONS = { copy: 'copy', markdown: 'down', html: 'device', print: 'print' } as const

export function ExportDialog() {
  const request = exportRequest.value
  const [form, setForm] = useState(request?.form)
  if (request === undefined) return null
  return (
    <Dialog title={tl().whole.title} onClose={closeExport}>
      <p class="whole-of">
        <bdi>{placeName(request.conversation)}</bdi>
      </p>
      {form === undefined ? <FormatChoice choose={setForm} /> : <ExportProgress form={form} />}
    </Dialog>
  )
}

function FormatChoice({ choose }: { readonly choose: (form: ExportFormat) => void }) {
  return (
    <>
      <p class="note">{tl().whole.about}</p>
      <div class="whole-forms">
        {EXPORT_FORMATS.map((form) => (
          <button key={form} class="button" onClick={() => choose(form)}>
            <Icon name={FORMAT_ICONS[form]} /> {tl().whole[form]}
          </button>
        ))}
      </div>
      <p class="note">{tl().whole.htmlMore}</p>
    </>
  )
}

function ExportProgress({ form }: { readonly form: ExportFormat }) {
  const [making] = useState(() => {
    const conversation = exportRequest.peek()?.conversation
    return conversation === undefined ? undefined : new ConversationExport(conversation, form)
  })
  useEffect(() => {
    void making?.run()
    return () => making?.cancel()
  }, [])
  useSignalEffect(() => {
    const step = making?.step.value
    if (step?.kind !== 'ended' || step.ending.kind === 'wants-press') return
    const { ending } = step
    const count = making?.count.peek() ?? 0
    if (ending.kind === 'copied') toast(tl().whole.copied(count))
    if (ending.kind === 'saved') toast(tl().whole.saved(count, ending.name))
    closeExport()
  })
  if (making === undefined) return null
  const { value: step } = making.step
  const { value: count } = making.count
  if (step.kind === 'failed') return <ExportFailure making={making} {...step} />
  if (step.kind === 'ended' && step.ending.kind === 'wants-press')
    return <CopyAgainButton press={step.ending.press} count={count} />
  return (
    <>
      <progress class="whole-progress" aria-label={tl().whole.progress} max={1} value={making.share.value} />
      <p role="status">{tl().whole.reading(count)}</p>
      <div class="dialog-actions">
        <button class="button" onClick={closeExport}>
          {t().app.cancel}
        </button>
      </div>
    </>
  )
}

interface ExportFailureProps {
  readonly making: ConversationExport
  readonly reason: string
  readonly mayGoOn: boolean
}

function ExportFailure({ making, reason, mayGoOn }: ExportFailureProps) {
  return (
    <>
      <p role="alert">{mayGoOn ? tl().whole.stopped(reason, making.count.value) : reason}</p>
      <div class="dialog-actions">
        <button class="button" onClick={closeExport}>
          {t().app.close}
        </button>
        {mayGoOn && (
          <button class="button primary" onClick={() => void making.run()}>
            {tl().whole.goOn}
          </button>
        )}
      </div>
    </>
  )
}

function CopyAgainButton({ press, count }: { readonly press: () => Promise<boolean>; readonly count: number }) {
  return (
    <>
      <p role="status">{tl().whole.copyNow(count)}</p>
      <div class="dialog-actions">
        <button
          class="button primary"
          onClick={() => {
            void press().then((isCopied) => {
              if (!isCopied) return
              toast(tl().whole.copied(count))
              closeExport()
            })
          }}
        >
          {tl().whole.copy}
        </button>
      </div>
    </>
  )
}
