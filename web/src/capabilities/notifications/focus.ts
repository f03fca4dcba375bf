/* Whether somebody is in any tab of this browser: then what arrives is seen there. */

/** Tabs answer at once, unless the browser has put them to sleep; nobody is in those. */
const ANSWER_MILLISECONDS = 150

const channel = new BroadcastChannel('parley-focus')

/** Has this tab answer others that want to know. */
export function answerTabs(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<'asked' | 'here'>) => {
    if (data === 'asked' && document.hasFocus()) channel.postMessage('here')
  })
}

export async function isReadSomewhere(): Promise<boolean> {
  if (document.hasFocus()) return true
  return new Promise((resolve) => {
    const onAnswer = ({ data }: MessageEvent<'asked' | 'here'>): void => {
      if (data === 'here') end(true)
    }
    const end = (isRead: boolean): void => {
      clearTimeout(timer)
      channel.removeEventListener('message', onAnswer)
      resolve(isRead)
    }
    const timer = setTimeout(() => end(false), ANSWER_MILLISECONDS)
    channel.addEventListener('message', onAnswer)
    channel.postMessage('asked')
  })
}
