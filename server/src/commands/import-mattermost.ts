import { mattermost } from '../converting/mattermost/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

export const importMattermost: Command = {
  usage: `Usage: parley import mattermost ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Makes a new organization of a bulk export of Mattermost: the ZIP archive, the folder that it was unpacked into, or the .jsonl file alone, without
uploaded files. What a channel talks about goes into its general chat, and each thread into a topic that is named after its first words.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(mattermost, args, terminal)
  },
}
