import { expect, it } from 'vitest'
import { runHere, useCommandLine } from '../testing/command-line.ts'
import { documentedCommands } from '../testing/documented.ts'
import { VERSION } from '../version.ts'

const commandLine = useCommandLine()

function commandsIn(overview: string): string[] {
  return [...overview.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, name = '']) => name)
}

it.each([
  ['', 'No command given.'],
  ['dance', "Unknown command 'dance'."],
  ['toString', "Unknown command 'toString'."],
  [
    'user',
    "'user' needs one of: user list, user create, user api-key, user password, user role, user deactivate, user reactivate, user remove-second-factor.",
  ],
  ['user role a@b.example', 'ROLE is missing.'],
  ['user role a@b.example king', 'ROLE must be one of owner, administrator, '],
  ['user list --role king', '--role must be one of owner, administrator, '],
  ['user deactivate', 'EMAIL is missing.'],
  ['user create', 'EMAIL is missing.'],
  ['user create a@b.example', '--name is missing.'],
  ['user create a@b.example --nmae A', "Unknown option '--nmae'."],
  ['user create a@b.example c@d.example --name A', "Unexpected argument 'c@d.example'."],
  ['user create a@b.example --name A --role king', '--role must be one of owner, administrator, '],
  ['user create a@b.example --name A --owner c@d.example', '--owner needs --bot.'],
  ['user create a@b.example --name A --password-stdin', 'No password on stdin.'],
  ['organization create north --name North --owner-name Nora', '--owner-email is missing.'],
  ['lock-down --minutes 0', '--minutes must be a whole number from 1 to 10080.'],
  ['backup', 'DIR is missing.'],
  ['import', "'import' needs one of: import parley, import slack, import mattermost, import zulip."],
  ['import slack', 'ARCHIVE is missing.'],
  ['verify a b', "Unexpected argument 'b'."],
  ['restore --fast a', "Unknown option '--fast'."],
  ['upgrade-database data', "Unexpected argument 'data'."],
  ['start fast', "Unexpected argument 'fast'."],
])('rejects `parley %s` and explains why', async (line, complaint) => {
  const { code, stdout, stderr } = await runHere(line.split(' ').filter(Boolean), {})
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`parley: ${complaint}`)
})

it('prints help for every command', async () => {
  const { code, stdout } = await runHere(['--help'], {})
  expect(code).toBe(0)
  const commands = commandsIn(stdout)
  expect(commands).toEqual([
    'start',
    'user list',
    'user create',
    'user api-key',
    'user password',
    'user role',
    'user deactivate',
    'user reactivate',
    'user remove-second-factor',
    'organization list',
    'organization show',
    'organization create',
    'organization deactivate',
    'organization reactivate',
    'organization delete',
    'lock-down',
    'doctor',
    'stats',
    'prune',
    'files move',
    'backup',
    'verify',
    'restore',
    'upgrade-database',
    'export',
    'import parley',
    'import slack',
    'import mattermost',
    'import zulip',
    'demo',
  ])
  for (const name of commands) {
    const help = await runHere([...name.split(' '), '--help'], {})
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(new RegExp(`^Usage: parley ${name}( |\n)`))
  }
})

it.each(['user', 'organization', 'files', 'import'])(
  'lists only the commands of `parley %s` with their summaries',
  async (family) => {
    const overview = (await runHere(['--help'], {})).stdout
    const commands = commandsIn(overview).filter((name) => name.startsWith(`${family} `))
    for (const option of ['--help', '-h']) {
      const { code, stdout, stderr } = await runHere([family, option], {})
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^Usage: parley ${family} COMMAND \\[ARGUMENTS\\]\n`))
      expect(commandsIn(stdout)).toEqual(commands)
      expect(stdout).not.toContain('such an archive')
    }
  },
)

it('has documentation for each command, with its help text and sample JSON output', async () => {
  const { stdout } = await runHere(['--help'], {})
  const documented = documentedCommands()
  expect(documented.map(({ name }) => name)).toEqual(commandsIn(stdout))
  for (const { name, usage, example } of documented) {
    const help = await runHere([...name.split(' '), '--help'], {})
    expect([name, usage]).toEqual([name, help.stdout])
    expect([name, example !== undefined]).toEqual([name, usage.includes('--json')])
  }
})

it('returns an exit code to the shell', async () => {
  const parley = await commandLine()
  expect(await parley.run(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
  expect(await parley.run(['dance'])).toEqual({
    code: 2,
    stdout: '',
    stderr: "parley: Unknown command 'dance'. Run parley --help.\n",
  })
})
