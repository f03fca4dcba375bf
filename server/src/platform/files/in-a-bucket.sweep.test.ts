import { afterAll, beforeAll, describe } from 'vitest'
import { S3Server } from '../../testing/s3-server.ts'
import { configureServers } from '../../testing/server.ts'

/* Runs the tests of all file features on servers that store files in a bucket. */

let storage: S3Server
let storeOnDiskAgain = (): void => undefined
beforeAll(async () => {
  storage = await S3Server.start()
  storeOnDiskAgain = configureServers((database) => storage.environment(database))
})
afterAll(async () => {
  storeOnDiskAgain()
  await storage.close()
})

const TESTS = [
  'uploads/uploads',
  'uploads/files',
  'uploads/thumbnails',
  'users/avatars',
  'custom-emoji/custom-emoji',
  'organizations/pictures',
]

for (const name of TESTS) {
  // The query string makes Node load the module again, since this process may already have run it.
  describe(`${name} with files in a bucket`, async () => {
    await import(/* @vite-ignore */ `../../capabilities/${name}.test.ts?in-a-bucket`)
  })
}
