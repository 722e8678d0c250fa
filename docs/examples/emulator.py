# Requests a report of the emulator and prints its cost. First run, in another terminal:
# adsctl demo start --port 8480 --seed docs --clock 2026-09-30T12:00:00Z --freeze
import gzip, json, urllib.parse, urllib.request

exec(urllib.request.urlopen("http://127.0.0.1:8480/_emulator/settings.py").read())  # or save it and import it

def ask(method, url, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as response:
        return json.load(response)

form = urllib.parse.urlencode({
    "grant_type": "refresh_token",
    "refresh_token": REFRESH_TOKEN,
    "client_id": CLIENT_ID,
    "client_secret": CLIENT_SECRET,
})
with urllib.request.urlopen(TOKEN_URL, form.encode()) as response:
    token = json.load(response)["access_token"]

headers = {"Authorization": f"Bearer {token}", CLIENT_ID_HEADER: CLIENT_ID}
profiles = ask("GET", f"{BASE_URL_NA}/v2/profiles", headers=headers)
us = next(profile for profile in profiles if profile["countryCode"] == "US")
headers[SCOPE_HEADER] = str(us["profileId"])

body = {
    "startDate": "2026-09-01",
    "endDate": "2026-09-07",
    "configuration": {
        "adProduct": "SPONSORED_PRODUCTS",
        "reportTypeId": "spCampaigns",
        "groupBy": ["campaign"],
        "columns": ["date", "campaignName", "clicks", "cost", "sales14d"],
        "timeUnit": "DAILY",
        "format": "GZIP_JSON",
    },
}
media_type = {"Content-Type": "application/vnd.createasyncreportrequest.v3+json"}
report = ask("POST", f"{BASE_URL_NA}/reporting/reports", body, {**headers, **media_type})

# Reports take time on the emulator's clock, which is frozen here. Move it:
ask("POST", "http://127.0.0.1:8480/_emulator/clock", {"advance": 5})
done = ask("GET", f"{BASE_URL_NA}/reporting/reports/{report['reportId']}", headers=headers)

# The file host accepts only the signed URL, without headers.
rows = json.loads(gzip.decompress(urllib.request.urlopen(done["url"]).read()))
print(done["status"], len(rows), "rows, cost", round(sum(row["cost"] for row in rows), 2))
