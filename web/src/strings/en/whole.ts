import { count } from './numbers.ts'

const messages = (number: number): string => count(number, 'message', 'messages')

export const whole = {
  open: 'Copy, save or print all of it',
  title: 'The whole conversation',
  about: 'Every message is fetched from the server, not only those that are shown here.',
  copy: 'Copy as Markdown',
  markdown: 'Save as Markdown',
  html: 'Save as a web page',
  htmlMore: 'The web page is one file with its pictures in it, and needs no connection.',
  print: 'Print',
  copyCommand: 'Copy the whole conversation as Markdown',
  markdownCommand: 'Save the whole conversation as Markdown',
  htmlCommand: 'Save the whole conversation as a web page',
  printCommand: 'Print the whole conversation',
  reading: (number: number) => `${messages(number)} so far`,
  progress: 'How much is there',
  stopped: (reason: string, number: number) =>
    `${reason} ${messages(number)} came; nothing was copied, saved or printed yet.`,
  goOn: 'Go on',
  isEmpty: 'There are no messages here.',
  tooLong: (most: number) => `There are more than ${messages(most)}. Save it as Markdown or as a web page instead.`,
  tooLongToSave: (most: number) => `There are more than ${messages(most)}, which is too much for a browser.`,
  copyNow: (number: number) =>
    `${count(number, 'message is', 'messages are')} ready. Your browser wants you to press once more.`,
  copied: (number: number) => `Copied ${messages(number)}`,
  saved: (number: number, name: string) => `Saved ${messages(number)} as ${name}`,
  summary: (number: number, organization: string, when: string) => `${messages(number)} · ${organization} · ${when}`,
  leftOut: (number: number) => `${messages(number)} of people whom you muted left out`,
  edited: (when: string) => `edited ${when}`,
  moved: (when: string) => `moved ${when}`,
  spoiler: 'Spoiler',
  reactions: 'Reactions',
}
