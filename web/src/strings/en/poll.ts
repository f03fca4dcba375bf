import { count } from './numbers.ts'

export const poll = {
  label: (question: string) => `Poll: ${question}`,
  noQuestion: 'Poll',
  vote: (option: string, votes: number) => `${option}: ${count(votes, 'vote', 'votes')}`,
  newOption: 'New option',
  add: 'Add',
  create: 'New poll',
  question: 'Question',
  option: (number: number) => `Option ${number}`,
  othersAdd: 'Everybody can add options later.',
  send: 'Send poll',
}
