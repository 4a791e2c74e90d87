import { DeployError, createClasp } from './clasp.ts'
import { deploy } from './deployment.ts'

/**
 * `npm run deploy:gas`: brings gas/dist to Apps Script without changing the registry's address; `-- login` logs in to Google.
 * clasp comes through npx when it is needed: with Google's API client it is far larger than all the rest of the project.
 */
const CLASP = ['npx', '--yes', '@google/clasp@3.4.1']

try {
  if (process.argv[2] === 'login') await createClasp(CLASP, import.meta.dirname, { inherit: true })('login', ...process.argv.slice(3))
  else {
    const url = await deploy({
      clasp: createClasp(CLASP, import.meta.dirname),
      folder: import.meta.dirname,
      env: process.env,
      description: `voxpool ${new Date().toISOString().slice(0, 16)}`,
      say: (line) => console.log(line)
    })
    console.log(`the registry is at ${url}`)
  }
} catch (error) {
  if (!(error instanceof DeployError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
