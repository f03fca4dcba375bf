export const report = {
  report: 'Report',
  title: 'Report a message',
  why: 'Why do you report this message?',
  reasons: {
    spam: 'Spam',
    harassment: 'Harassment',
    inappropriate: 'Inappropriate content',
    norms: 'Violates the norms here',
    other: 'Another reason',
  },
  explanation: 'Explain it',
  explanationOptional: 'Explain it, if you like',
  who: 'The moderators see this message, your name and what you write here.',
  send: 'Send report',
  sent: 'The moderators will see your report',
}
