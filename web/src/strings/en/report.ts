export const report = {
  report: 'Report',
  title: 'Report message',
  why: 'Why are you reporting this message?',
  reasons: {
    spam: 'Spam',
    harassment: 'Harassment',
    inappropriate: 'Inappropriate content',
    norms: 'Breaks the rules here',
    other: 'Other',
  },
  explanation: 'Details',
  explanationOptional: 'Details (optional)',
  who: 'Moderators will see this message, your name, and what you write here.',
  send: 'Send report',
  sent: 'Report sent to moderators',
}
