export const hints = {
  inbox: 'What you have not read comes together here, by topic.',
  next: (key: string) => `${key} leads to the next of it from anywhere.`,
  topic: 'What you write goes to this topic. Type another one to begin another conversation.',
  resolve: 'When a topic is settled, say so here, for everybody to see.',
  close: 'Got it',
}
