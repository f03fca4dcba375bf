import { slack } from '../converting/slack/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

export const importSlack: Command = {
  usage: `Usage: parley import slack ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Makes a new organization of an export of Slack: the ZIP archive, or the folder that it was unpacked into. What a channel talks about goes into its
general chat, and each thread into a topic that is named after its first words. Everybody has read everything.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(slack, args, terminal)
  },
}
