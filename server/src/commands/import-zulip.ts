import { zulip } from '../converting/zulip/read.ts'
import type { Command } from './command.ts'
import { convertAndImport, CONVERTING_USAGE } from './converting.ts'

export const importZulip: Command = {
  usage: `Usage: parley import zulip ARCHIVE [--dry-run] [--ids FILE] [--json] [--name NAME] [--organization SUBDOMAIN]

Makes a new organization of an export of Zulip: the \`.tar.gz\` archive, or the folder that it was unpacked into. Topics, and what everybody has read,
starred, muted and followed, are as they were.

${CONVERTING_USAGE}`,

  async run(args, terminal) {
    await convertAndImport(zulip, args, terminal)
  },
}
