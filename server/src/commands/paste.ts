import { FIRST_CHANNEL } from './founding.ts'

/** Two commands with which a message arrives. @param apiKey undefined where it is not to be shown: then they ask for it */
export function linesToPaste(url: string, email: string, apiKey: string | undefined): string[] {
  const asked = `"$(npx parley user api-key ${shellWord(email)})"`
  const login = apiKey === undefined ? `-u ${shellWord(`${email}:`)}${asked}` : `-u ${shellWord(`${email}:${apiKey}`)}`
  const wait = `-G --data-urlencode 'event_types=["message"]'`
  const send = `-d type=channel -d to=${FIRST_CHANNEL} -d topic=hello -d content=Hello`
  return [
    'Wait for a message:',
    `  curl -s ${url}/api/v1/events ${login} ${wait}`,
    'Send one from another terminal:',
    `  curl -s ${url}/api/v1/messages ${login} ${send}`,
  ]
}

/** A word as a shell reads it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
