import { UploadList } from '../../uploads/list.tsx'
import type { ComposedText } from '../composed-text.ts'

export function Uploads({ writing }: { readonly writing: ComposedText }) {
  return (
    <UploadList
      uploads={writing.uploads}
      onRetry={(upload) => writing.retry(upload)}
      onReplace={(files = []) => {
        writing.field?.focus()
        writing.upload(files)
      }}
      onHold={writing.isQueued ? () => writing.queue(undefined) : undefined}
    />
  )
}
