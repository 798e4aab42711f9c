"""Fields of systems of employers, banks, insurers, telephone companies, welfare, police, courts, schools and shops."""

from __future__ import annotations

from collections.abc import Mapping

OFFICES: Mapping[str, Mapping[str, str]] = {
    "SAP HCM": {
        "person": "pernr perid ~cname bankn iban",
        "name": "nachn vorna ename sname natel usrid usridlong stras telnr nach2 midnm rufnm gbnam ~name2 inits",
        "ground": "gesch gbdat gbjhr gbort gblnd natio nati2 nati3 famst famdt sprsl ~langu anred ~titel",
        "belief": "konfe konfess sbgru schwb sbgrd sbproz challenged",
        "life": "anzkd bukrs werks btrtl persg persk kostl ~plans stell orgeh trfar trfgb trfgr trfst vdsk1 abkrs "
        "gsber kokrs bsgrd teilk wostd arbst schkz zterf empct mostd persa ~bereich ansvh cttyp prbzt molga massn "
        "massg stat# ~dienst slart ausbi slabs insti ksbez anzkr famsa fasex fgbdt orgtx plstx kostx stltx btext "
        "pbtxt ptext pgtxt",
        "place": "pstlz ort01 ort02 land1 ~state regio counc adr03 adr04 entkm",
        "date": "begda endda eintr austr ~entry ~hiredate dat# termd kidat einda ausda",
        "technical": "aedtm uname mandt seqnr objps sprps itxex preas ordex refex itbld flag# rese# grpvl subty infty",
        "money": "bet# lgart lga# anz# betrg waers ansal divgv steuk stkla kifre kfrbt betpe ~salary ffzulage",
        "health": "krtage krtg abwtg awart aufkz kranktage krankt kaltg abrtg",
        "score": "beurt beurteilung ~potential",
    },
    "SAP in hospitals": {
        "person": "patnr falnr extnr ~zotyp",
        "name": "pname vname nname gbnam telf#",
        "ground": "gschl gbdat natio famst ~glrnr",
        "place": "pstlz ort ~land",
        "date": "bwidt bwedt enddt begdt aufdt entdt opdat todat",
        "unit": "orgfa orgpf orgid einri zimmr bettst bekat falar erboe",
        "health": "dkey# dkat# dtext# drgco icpm# icpml fallart bwart bewty unfnr todks verwd pccl effgew",
        "money": "kostr kassn leist honor",
    },
    "SAP FI and CRM": {
        "person": "kunnr lifnr ~partner",
        "number": "belnr vbeln bp# ebeln xblnr zuonr vkont vertrag anlage",
        "name": "name1 smtpaddr telf1 telfx stras stcd1 stcd2 ~street",
        "technical": "erdat ernam aenam aedat usnam cpudt tcode ktokd ktokk loevm mandt gjahr",
        "plain": "waers bukrs buzei rbukrs monat meins",
        "place": "ort01 pstlz land1 regio city1",
        "date": "budat bldat augdt zfbdt faedt",
        "money": "dmbtr wrbtr klimk zterm mahns netwr hwbas",
        "life": "brsch kdgrp vkorg vtweg spart",
    },
    "PeopleSoft": {
        "person": "emplid emplrcd nationalid oprid",
        "name": "namedisplay firstnamesrch lastnamesrch emailaddr",
        "ground": "~birthdate ~sex marstatus ethnicgrpcd birthcountry citizenshipstatus militarystatus",
        "life": "deptid jobcode ~position positionnbr ~company businessunit paygroup ~location regtemp fullparttime "
        "empltype stdhours hreplstatus jobfamily gradestep unioncd acadcareer acadplan acadprog acadlevelbot",
        "date": "hiredt effdt actiondt terminationdt lasthiredt cmpnyseniority rehiredt strm admitterm",
        "technical": "effseq lastupddttm lastupdoprid rowadddttm rowaddoprid setid",
        "money": "annualrt monthlyrt hourlyrt comprate salgrade saladminplan changeamt changepct dailyrt",
        "outcome": "actionreason ~action emplstatus",
        "score": "reviewrating cumgpa",
    },
    "Workday and Oracle HCM": {
        "person": "~employeeid workerid personnumber assignmentnumber workeridentifier",
        "name": "legalname preferredname workemail legalfirstname legallastname displayname",
        "ground": "~dateofbirth ~maritalstatus raceethnicity veteranstatus",
        "life": "workertype jobprofile ~joblevel jobfamily managementlevel costcenter supervisoryorganization orgname "
        "businesstitle positiontitle timetype worklocation payratetype gradename jobname assignmentcategory "
        "departmentname legalemployername locationname fte scheduledweeklyhours ~managername ~manager "
        "assignmentstatustype",
        "date": "~hiredate originalhiredate terminationdate effectivestartdate effectiveenddate",
        "money": "basepay totalbasepay compensationgrade comparatio annualsalary bonustarget payrange salaryamount",
        "outcome": "terminationreason primaryterminationreason",
        "technical": "lastupdatedby createdby lastupdatedate objectversionnumber",
    },
    "banks": {
        "person": "custno cifno cif",
        "number": "acctno acctnum ~loanid applno applid kontonr cardno maskedpan pan trxref endtoendid ~applicationid "
        "dealno",
        "name": "iban bic dbtriban cdtriban dbtrnm cdtrnm bban acctholder holdername rmtinf",
        "money": "mcc pd lgd ead ccf rwa ~el dpd dpdmax ltv dti dsti dsr osbal ostbal limitamt lnamt loanamt apr "
        "intrate emi instamt ~util bureauscore bursc burscore ficoscore ~creditscore noccj ccj arrears arrearsamt "
        "outstamt netincmth grossinc netinc existdebt npl npa ecl ~stage ifrs9stage forborne writeoff chargeoffamt "
        "~provision intrbksttlmamt txnamt trxamt tranamt ~amt lnpurp loanpurp ~purp termm noaccts worstst delq#mnths "
        "~rating rtg",
        "ground": "natnlty nationlty sexcd gendercd marst maritalst ~noofdep custdob",
        "life": "emptyp occcd empstat resstat yrsaddr yrsemp timeaddr timeemp nodep housingstat custsince ~segm "
        "custseg",
        "outcome": "dflt12m dflt def12m dfltflg defflag badflag goodbad bad12m gbflag default12m",
        "decision": "deccd uwdec uwdecision finaldec appldec credecision apprvst",
        "technical": "uwid uw srcsys extractdt batchid loadts sysid ~chnlid asofdt snapshotdt",
        "unit": "brcd branchcd ~branchid brnch ~sortcd rmcode",
        "date": "appldt opendt closedt trxdt valdt txndt bookgdt valuedate disbdt matdt",
        "plain": "ccy ~currency curcd ccycd",
        "thing": "chnl prodcd prodcode",
    },
    "insurers": {
        "number": "polno policyno ~policyid polnbr ~policynumber claimno claimnbr clmno clmnbr ~claimid versnr "
        "policenr schadennr sinistreno quoteno",
        "name": "insuredname claimantname vrn ~regno vehreg licenseplate",
        "money": "premamt grosspremium grossprem netprem suminsured sumins tsi ~ded deductibleamt excessamt paidamt "
        "resvamt reserveamt incurredamt claimamt clmamt ncd ncb bonusmalus bmclass schadenhoehe pricingband "
        "renewalprem commissionamt writtenprem earnedprem lossratio",
        "life": "lob vehgrp vehmake vehmodel vehyr makecd modelcd covertype covtype occcode vehvalue annmileage "
        "noclaimsyrs vehuse drvlicyrs licyrs nodrivers",
        "date": "effdate expdate inceptiondt incepdt policystart lossdt dateofloss lossdate notifdt rptdt",
        "outcome": "clmstatus claimstatus siuflag litigation",
        "health": "bodypartcd injurycd natureofinjury causecd",
        "unit": "agencycd",
        "staff": "agentcd brokercd producercd adjusterid handlerid",
        "decision": "uwdecision",
    },
    "telephone companies": {
        "number": "msisdn imsi imei iccid aparty bparty anum bnum callingnumber callednumber subid ~subscriberid "
        "callingparty calledparty calleridnum otherparty anumber bnumber",
        "place": "cellid lac ~tac enodeb ~siteid bts cgi ecgi celllat celllon firstcell lastcell roamingcountry vplmn",
        "date": "callstart callend startts endts callts calldt ~starttime answertime eventts",
        "score": "callduration durationsec ~durs datavol uplink downlink mbused ulbytes dlbytes smscnt mou arpu "
        "voicemin datamb callcnt callsecs bytesup bytesdown",
        "thing": "calltype tariffplan ratplan handsettype rattype ~servicetype planname devicebrand prepost calldir",
        "technical": "recseq switchid mscid trunkin trunkout cdrid recordseq causeforterm",
    },
    "registration of refugees": {
        "person": "individualid individualno progresid ~casenumber unhcrid ~regno proid",
        "household": "groupno registrationgroupid processinggroupnumber processinggroup ~caseno ~groupid familyno "
        "rationcardno",
        "name": "~fullname ~givenname ~familyname phoneno fathername mothername shelterno",
        "ground": "coo cooname countryoforigin coa ethniccode ~maritalstatus ~dateofbirth sexcode birthcountrycode",
        "belief": "religioncode religioncodename spneeds specificneeds",
        "place": "locationlevel# coalevel# cooaddress coolevel#",
        "life": "reltofp relationshiptofp ~relationship ~educationlevel occupationcode occupationlastcode "
        "processinggroupsize ~familysize",
        "date": "arrivaldate registrationdate flightdate",
        "plain": "dobestimate dobestimated biometricscaptured consentflag refugeestatuscategory processstatus "
        "biometricstatus",
        "decision": "rsddecision rsdstatus refugeestatus refugeestatuscode legalstatus",
        "money": "assistanceusd cashassistance rationsize",
        "crime": "sgbv ~detention",
    },
    "police": {
        "number": "~incidentid incidentno casenbr arrestid offenseid complaintno eventno cadno cmplntnum objectid "
        "nibrsid ~ori arresttransno",
        "name": "officername suspname victname badgeno subjname",
        "staff": "officerid ~badge reportingofficer",
        "unit": "~beat ~unitid arrestingagency ~pddesc officerassignment",
        "place": "incidentlocation xcoord ycoord xcoordcd ycoordcd ~precinct arrestboro boro boronm patrolboro "
        "addrpctcd policedistrict stationnm premtypdesc lococcurfrdesc ~prem",
        "date": "incidentdt occdate occdt rptdt arrestdt cmplntfrdt cmplntfrtm frdt rpttime occtime dateocc timeocc",
        "ground": "suspsex susprace suspage suspagegroup victsex victrace victage vicsex vicrace vicage victimsex "
        "victimrace victimage perpsex perprace perpage perpagegroup ~agegroup arresteesex arresteerace arresteeage "
        "subjectrace subjectsex ~descent victdescent ethnicitycd officerrace officersex officerage",
        "crime": "ucrcode ucr nibrscode offensecode offensedesc ofnsdesc kycd pdcd lawcatcd lawcode crmcd crmcddesc "
        "mocodes weapontype weaponcd gangflag usedforce forcetype frisked searched arrestmade citationissued "
        "clearancecode clearcd statuscd dvflag domesticflag crmatptcptdcd injurylevel",
        "life": "victimoffenderrelationship relationshipcd victimtype",
    },
    "courts": {
        "number": "~caseno docketno docketnumber aktz aktenz ~defendantid ~sid spn nprocesso numproc ~processo ~rg "
        "nuip causano rgnr",
        "name": "defname defendantname ~plaintiff attyname ~avvocato advogado",
        "unit": "judgeid ~judgename ~courtid courtcd ~divisioncd ~chamber vara ~comarca juizo defatty",
        "crime": "chargecd chargedesc chargeclass sentlength sentmonths senttype priorconv nopriors priorcnt bondamt "
        "bailamt jailtime custodydays ~dispo dispositioncd ~plea crimetipo ~crime offclass offgrade strafmass "
        "tatvorwurf urteil ~pena ~regime ~antecedentes",
        "date": "filedt disposdt arrestdt sentdt hearingdt",
        "ground": "defsex defrace defage defdob",
    },
    "schools": {
        "person": "upn uln candidateno ~studentnumber ~studentid stateid ssid stunum localid uniquepupilnumber adno "
        "~pupilid admno lasid sasid studentno",
        "name": "legalsurname preferredsurname ~lastfirst ~mothername tutorname headofyear",
        "ground": "eal fsthome ~homelang ethnicitycode ~firstlanguage ~ell lepstatus langcode elstatus ethniccd",
        "belief": "senstatus senprovision sennneed senneed sentype ~sped ~iep plan504 section504 ehcpflag spedflag "
        "swd primarydisability",
        "life": "ncyear ncyearactual yeargrp yeargp regform reggroup formgrp tutorgrp housegrp ~gradelevel "
        "enrolstatus schoolurn ~urn laestab estab ~schoolname keystage ncyr homeroomno boarder modeoftravel "
        "entrystatus entrycode ~gradyear ~sibs partime servicechild",
        "money": "fsmeligible fsmever6 fsm6 ~fsm pupilpremium ppindicator lunchstatus ~frl frlstatus ~bursary idaci",
        "score": "ks1# ks2# ks4# ks2read ks2mat att8 attainment8 p8score progress8 phonics gcse# alevel# attpct "
        "attendpct unauthabs authabs sessmiss sesspos unauthorised latecount exclusions fixedexcl detentions "
        "behaviourpts achpts behpts mapscore lexile sbac staar gpacum gpaterm cumulativegpa ~act ~sat predictedgrade "
        "targetgrade",
        "health": "medicalflag medconditions",
        "crime": "cinflag cpflag childinneed cpplan",
        "decision": "~exclusion",
        "date": "doa dol entrydate exitdate enroldate ~admissiondate",
    },
    "admissions to universities": {
        "person": "ucasid ~personalid numcandidat ine codeine ~applid ~applicantid candno matrikelnr matrnr numcand "
        "inenum",
        "name": "nomnaiss nomusage ~mel prenomusuel telport",
        "ground": "dnaiss datnaiss civ ~nat ~sexe ~nationalite ~domicile",
        "place": "depnaiss cpresidence communeres paysbac acadbac ~academie polarquintile polar4 tundra",
        "life": "bacserie seriebac filbac bacmention mentionbac anbac anneebac etaborig etabbac ~etablissement "
        "typeetab codeform ~formation composante voiebac spebac# hochschulzugang hzbart hzbjahr firstgen parenthe "
        "salarie fachsem stg abschlussziel hssem ~lycee degreeprog courseapplied studymode entryyear yearofentry "
        "majorchoice",
        "score": "moyl# moybac notebac notedossier rangvoeu cltcommission clt classement rangclassement ucaspoints "
        "tariffpoints ~interviewscore hzbnote wartesem satm satv greq grev toeflscore ielts personalstatementscore "
        "~rank",
        "money": "boursier boursierech ~echelon bafoeg",
        "belief": "rqth ~handicap",
        "decision": "~decision avis avisjury decisionjury ~offertype admitdec admissiondec",
        "outcome": "motifrefus repcandidat reponsecandidat ~reply firmchoice",
        "plain": "campagne ~vague ~session ~intake",
    },
    "customers and donors": {
        "person": "~contactid donorid constituentid",
        "number": "~accountid giftid ~ordernumber ~orderid leadid ticketid",
        "thing": "~paymentmethod campaigncode leadsource giftsource",
        "money": "giftamount lifetimegiving lastgiftamt totalgiving rfmscore clv ltvalue majordonorscore aov",
        "technical": "lastmodifiedby createdbyid lastmodifiedbyid ~ownerid systemmodstamp lastmodifieddate isdeleted "
        "recordtypeid",
        "date": "giftdate lastgiftdate firstgiftdate closedate",
    },
}  # fmt: skip
"""Kinds of column by standard, and the names of the fields of each."""
