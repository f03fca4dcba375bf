import { count } from './numbers.ts'

const messages = (number: number): string => count(number, 'message', 'messages')

export const whole = {
  open: 'Export conversation',
  title: 'Export conversation',
  about: 'Includes every message, not only those shown here.',
  copy: 'Copy as Markdown',
  markdown: 'Save as Markdown',
  html: 'Save as a web page',
  htmlMore: 'The web page is a single file with its images and works offline.',
  print: 'Print',
  copyCommand: 'Copy conversation as Markdown',
  markdownCommand: 'Save conversation as Markdown',
  htmlCommand: 'Save conversation as a web page',
  printCommand: 'Print conversation',
  reading: (number: number) => `${messages(number)} so far`,
  progress: 'Progress',
  stopped: (reason: string, number: number) => `${reason} Stopped after ${messages(number)}; nothing was exported.`,
  goOn: 'Continue',
  isEmpty: 'There are no messages to export.',
  tooLong: (most: number) =>
    `This conversation has more than ${messages(most)}. Save it as Markdown or a web page instead.`,
  tooLongToSave: (most: number) => `This conversation has more than ${messages(most)}, too many for a browser.`,
  copyNow: (number: number) => `${messages(number)} ready. Click once more to copy.`,
  copied: (number: number) => `Copied ${messages(number)}`,
  saved: (number: number, name: string) => `Saved ${messages(number)} as ${name}`,
  summary: (number: number, organization: string, when: string) => `${messages(number)} · ${organization} · ${when}`,
  leftOut: (number: number) => `${messages(number)} from people you muted not included`,
  edited: (when: string) => `edited ${when}`,
  moved: (when: string) => `moved ${when}`,
  spoiler: 'Spoiler',
  reactions: 'Reactions',
}
