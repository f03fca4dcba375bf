import { t } from '../../kernel/strings.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import type { Uploads } from './state.ts'
import './list.css'

const PERCENT = 100

export function UploadList({ uploads }: { readonly uploads: Uploads }) {
  return (
    <ul class="uploads" aria-label={t().composer.uploads}>
      {uploads.all.value.map((upload) => {
        const { id, file, share, failure, canRetry } = upload
        const percent = Math.floor(share * PERCENT)
        return (
          <li key={id} class={failure === undefined ? 'upload' : 'upload is-failed'}>
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
                  <button class="button" type="button" onClick={() => uploads.retry(upload)}>
                    {t().app.retry}
                  </button>
                )}
              </>
            )}
            <button
              class="icon-button"
              type="button"
              aria-label={`${failure === undefined ? t().composer.cancelUpload : t().app.close}: ${file.name}`}
              onClick={() => uploads.cancel(upload)}
            >
              <Icon name="close" size={16} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
