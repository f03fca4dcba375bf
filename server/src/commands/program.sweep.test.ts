import { expect, it } from 'vitest'
import { runHere } from '../testing/command-line.ts'
import { documentedCommands } from '../testing/documented.ts'
import { useProgram } from '../testing/program.ts'

const program = useProgram()

it.each(documentedCommands().map(({ name, usage }) => [name, usage] as const))(
  'prints help for `parley %s` and rejects an unknown option',
  async (name, usage) => {
    const real = await program()
    const words = name.split(' ')
    expect(await real.run([...words, '--help'])).toEqual({ code: 0, stdout: usage, stderr: '' })
    const wrong = [...words, '--wrong-option']
    const here = await runHere(wrong, {})
    expect(here.code).toBe(2)
    expect(await real.run(wrong)).toEqual(here)
  },
)
