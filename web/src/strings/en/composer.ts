import { count } from './numbers.ts'

export const composer = {
  label: (where: string) => `Message to ${where}`,
  placeholder: (where: string) => `Message ${where}`,
  send: 'Send',
  destination: 'Goes to',
  attach: 'Attach a file',
  uploading: (name: string) => `Uploading ${name} …`,
  uploadFailed: (name: string) => `${name} could not be uploaded.`,
  preview: 'Preview',
  tooLong: (number: number) => `${count(number, 'character', 'characters')} too long`,
  suggestions: 'Suggestions',
  everybody: 'Everybody in this conversation',
  enterSends: 'Enter sends',
  ctrlEnterSends: 'Ctrl+Enter sends',
  changeKeys: 'Change which key sends',
}
