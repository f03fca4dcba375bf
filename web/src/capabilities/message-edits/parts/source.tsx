import { useEffect, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { copyWithToast } from '../../../platform/dom/clipboard.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { fetchSource, type DialogProps } from '../state.ts'
import './source.css'

export function SourceDialog({ message, onClose }: DialogProps) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    void fetchSource(message).then((found) => (found === undefined ? onClose() : setSource(found)))
  }, [message.id])
  return (
    <Dialog title={t().messages.source} onClose={onClose}>
      {source === undefined ? (
        <p class="note">{t().app.loading}</p>
      ) : (
        <>
          <pre class="source" dir="auto" tabIndex={0}>
            {source}
          </pre>
          <div class="dialog-actions">
            <button class="button" onClick={() => void copyWithToast(source)}>
              {t().messages.copyMarkdown}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

export function ChangedText({ text }: { readonly text: string }) {
  return (
    <div class="changed-text" role="alert">
      <p>{tl().messages.changed}</p>
      <pre class="source" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}
