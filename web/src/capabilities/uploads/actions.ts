import { uploads } from '@parley/server/contract'
import { call } from '@parley/client'
import { t } from '../../kernel/strings.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { SESSION } from '../../platform/sync/sync.ts'

/** Uploads a file. @returns the link to it for a message, or undefined when it failed, which was said then */
export async function upload(file: File): Promise<string | undefined> {
  try {
    const { url, filename } = await call(SESSION, uploads.uploadFile, {}, { file })
    return `[${filename.replaceAll(/[[\]]/g, '')}](${url})`
  } catch {
    toast(t().composer.uploadFailed(file.name))
    return undefined
  }
}
