import type { Sample } from './sample.ts'

export const SAMPLES: readonly Sample[] = [
  {
    service: 'json',
    what: 'a message',
    body: { topic: 'backups', content: 'The backup **succeeded**.' },
    topic: 'backups',
    content: 'The backup **succeeded**.',
  },
  {
    service: 'json',
    what: 'any JSON',
    body: { level: 1, names: ['a'] },
    topic: 'JSON',
    content: '```json\n{\n  "level": 1,\n  "names": [\n    "a"\n  ]\n}\n```',
  },
]
