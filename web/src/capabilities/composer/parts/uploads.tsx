import { useEffect, useRef } from 'preact/hooks'
import { tu, tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { announce } from '../../../platform/overlay/announce.tsx'
import type { Upload } from '../../uploads/state.ts'
import { cancelUpload, dismissInterrupted } from '../../uploads/transfer.ts'
import type { ComposedText } from '../composed-text.ts'
import './uploads.css'

const AttachedFiles = lazily(
  async () => (await import('./attached-files.tsx')).AttachedFiles,
  () => null,
)

export function Uploads({ writing }: { readonly writing: ComposedText }) {
  return (
    <>
      {writing.hasUploadLinks && <AttachedFiles writing={writing} />}
      {writing.uploads.length > 0 && (
        <UploadList
          uploads={writing.uploads}
          onRetry={(upload) => writing.retry(upload)}
          onReplace={(files = []) => {
            writing.field?.focus()
            writing.upload(files)
          }}
          onHold={writing.isQueued ? () => writing.queue(undefined) : undefined}
        />
      )}
    </>
  )
}

const PERCENT = 100

interface UploadListProps {
  readonly uploads: readonly Upload[]
  readonly onRetry: (upload: Upload) => void
  /** Attaches files in place of an interrupted upload, or drops the upload if `files` is undefined. */
  readonly onReplace: (files?: readonly File[]) => void
  /** Stops the message from being sent when its uploads finish; undefined if it is not set to send automatically. */
  readonly onHold: (() => void) | undefined
}

function UploadList({ uploads, onRetry, onReplace, onHold }: UploadListProps) {
  const isQueued = onHold !== undefined
  useEffect(() => {
    if (isQueued) announce(tl().composer.sendsAfterUpload)
  }, [isQueued])
  return (
    <>
      <ul class="uploads" aria-label={tl().composer.uploads}>
        {uploads.map((upload) =>
          upload.isInterrupted === true ? (
            <InterruptedRow key={upload.id} upload={upload} onReplace={onReplace} />
          ) : (
            <UploadRow key={upload.id} upload={upload} onRetry={onRetry} />
          ),
        )}
      </ul>
      {isQueued && (
        <p class="upload-note">
          <span>{tl().composer.sendsAfterUpload}</span>
          <button class="button" type="button" onClick={onHold}>
            {tl().composer.hold}
          </button>
        </p>
      )}
    </>
  )
}

function InterruptedRow({ upload, onReplace }: Pick<UploadListProps, 'onReplace'> & { readonly upload: Upload }) {
  const input = useRef<HTMLInputElement>(null)
  const end = (files?: readonly File[]): void => {
    dismissInterrupted(upload)
    onReplace(files)
  }
  return (
    <li class="upload is-failed">
      <span class="upload-failure" role="alert">
        {upload.failure}
      </span>
      <button class="button" type="button" onClick={() => input.current?.click()}>
        {tu().attachAgain}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => end([...(currentTarget.files ?? [])])}
      />
      <button class="button" type="button" onClick={() => end()}>
        {tu().dismiss}
      </button>
    </li>
  )
}

function UploadRow({ upload, onRetry }: Pick<UploadListProps, 'onRetry'> & { readonly upload: Upload }) {
  const { file, uploadedFraction, failure, canRetry } = upload
  const percent = Math.floor(uploadedFraction * PERCENT)
  return (
    <li class={failure === undefined ? 'upload' : 'upload is-failed'}>
      <bdi class="upload-name">{file.name}</bdi>
      {failure === undefined ? (
        <progress class="upload-progress" max={PERCENT} value={percent} aria-label={file.name}>
          {percent}
        </progress>
      ) : (
        <>
          <span class="upload-failure" role="alert">
            {failure}
          </span>
          {canRetry && (
            <button class="button" type="button" onClick={() => onRetry(upload)}>
              {t().app.retry}
            </button>
          )}
        </>
      )}
      <button
        class="icon-button"
        type="button"
        aria-label={`${failure === undefined ? tl().composer.cancelUpload : t().app.close}: ${file.name}`}
        onClick={() => cancelUpload(upload)}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}
