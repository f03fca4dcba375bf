import { between } from '../../platform/sync/between.ts'

/** Timeout for other tabs. A focused tab answers immediately. */
const ANSWER_MILLISECONDS = 150

const waiting = new Set<(isRead: boolean) => void>()

const tell = between<'asked' | 'here'>('parley-focus', (told) => {
  if (told === 'here') for (const end of waiting) end(true)
  else if (document.hasFocus()) tell('here')
})

/** Whether any tab has the focus, so that the user sees new messages in that tab. */
export async function isReadSomewhere(): Promise<boolean> {
  if (document.hasFocus()) return true
  return new Promise((resolve) => {
    const end = (isRead: boolean): void => {
      clearTimeout(timer)
      waiting.delete(end)
      resolve(isRead)
    }
    const timer = setTimeout(() => end(false), ANSWER_MILLISECONDS)
    waiting.add(end)
    tell('asked')
  })
}
