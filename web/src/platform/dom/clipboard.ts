import { t } from '../../kernel/strings.ts'
import { toast } from '../overlay/toasts.tsx'

export async function copyWithToast(text: string): Promise<void> {
  if (await copyText(text)) toast(t().messages.copied)
}

/** Works without `navigator.clipboard`, which exists only on HTTPS and localhost. @returns whether it succeeded */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return false
    }
  }
  const copied = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', copied, { once: true })
  // Deprecated, but the only way without HTTPS.
  const isCopied = (document as { execCommand(command: string): boolean }).execCommand('copy')
  document.removeEventListener('copy', copied)
  return isCopied
}
