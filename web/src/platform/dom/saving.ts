/** How long the file's URL stays valid: browsers can still be reading the file after saving starts. */
const URL_LIFETIME_MILLISECONDS = 60_000

export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), URL_LIFETIME_MILLISECONDS)
}
