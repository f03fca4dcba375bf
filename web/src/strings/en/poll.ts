import { count } from './numbers.ts'

export const poll = {
  label: (question: string) => `Poll: ${question}`,
  noQuestion: 'Poll',
  vote: (option: string, votes: number) => `${option}: ${count(votes, 'vote', 'votes')}`,
  newOption: 'New option',
  add: 'Add',
  create: 'Create poll',
  question: 'Question',
  option: (number: number) => `Option ${number}`,
  othersAdd: 'Anyone can add options later.',
  send: 'Send poll',
}
