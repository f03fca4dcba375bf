/** How long the file's URL stays valid: browsers can still be reading the file after saving starts. */
const KEEP_URL_MILLISECONDS = 60_000

export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_URL_MILLISECONDS)
}
