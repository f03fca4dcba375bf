/** Puts a text on the clipboard. Pages that came unencrypted have no `navigator.clipboard`. @returns whether it is there */
export async function copy(text: string): Promise<boolean> {
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
  // Deprecated, and the only way there.
  const isCopied = (document as { execCommand(command: string): boolean }).execCommand('copy')
  document.removeEventListener('copy', copied)
  return isCopied
}
