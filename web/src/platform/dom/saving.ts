/** A browser that begins to save needs its file for a while. */
const KEEP_MILLISECONDS = 60_000

/** Has the browser save a file. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MILLISECONDS)
}
