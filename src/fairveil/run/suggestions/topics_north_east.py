"""Words of columns in Danish, Norwegian, Swedish, Finnish, Polish, Czech, Hungarian, Romanian and Turkish."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

NORTH_EAST = (
    Topic("name", 4, "names of people",
          "etunimi sukunimi krestni prijmeni keresztnev vezeteknev nume prenume nume+prenume adi soyadi soyad "
          "nazwisko imie nazwisko+imie meno priezvisko fornamn efternamn fornavn etternavn efternavn navn+fuldt"),
    Topic("name", 4, "addresses, telephone numbers or accounts",
          "personnummer fodselsnummer cprnr cpr+nr henkilotunnus hetu pesel rodne+cislo rodnecislo cnp tckn adresa "
          "adres lakcim telefonszam puhelin osoite telefonnr sahkoposti eposta epost adresse+linje"),
    Topic("ground", 4, "sex or gender",
          "=kon kjonn koen sukupuoli plec pohlavi pohlavie =nem =sex cinsiyet gen+sex"),
    Topic("ground", 4, "age",
          "fodselsaar fodelsear fodselar fodselsdato fodselsdag fodelsedatum fodeaar alder =ika syntymavuosi "
          "syntymaaika wiek data+ur data+urodzenia rok+urodzenia rok+ur datum+narozeni rok+narozeni eletkor "
          "szuletesi+ev szul+ev varsta data+nasterii an+nastere yas dogum+tarihi dogum+yili aldersgruppe aldersgrupp"),
    Topic("ground", 4, "nationality",
          "statsborgerskap statsborgerskab medborgarskap kansalaisuus obywatelstwo narodowosc statni+obcanstvi "
          "obcanstvi narodnost allampolgarsag cetatenie nationalitate uyruk fodelseland fodeland fodeland+gr "
          "herkomst+land opprinnelse landbakgrunn landbakgrund oprindelse oprindelsesland aidinkieli modersmal "
          "jezyk+ojczysty"),
    Topic("ground", 4, "marital status",
          "sivilstand civilstand civilstatus civst siviilisaaty stan+cywilny stan+cyw rodinny+stav csaladi+allapot "
          "stare+civila medeni+durum medeni+hal"),
    Topic("belief", 4, "religion or belief",
          "trossamfunn trossamfund wyznanie vyznani vallas religie uskonto"),
    Topic("belief", 4, "a disability or pregnancy",
          "uforegrad handikap niepelnosprawnosc stopien+niepelnosprawnosci invalidita vammaisuus engelli "
          "fogyatekossag handicap+grad"),
    Topic("life", 4, "school or studies",
          "utdanning utdannelse utdanningsniva uddannelse uddannelsesniveau utbildning utbniva utbildningsniva "
          "koulutus koulutusaste wyksztalcenie szkola vzdelani vegzettseg iskola educatie studii egitim "
          "egitim+durumu klasse+trinn klasa skole skola fakultet kierunek wydzial linje studieretning"),
    Topic("life", 4, "work",
          "stilling stillingsprosent yrke yrkeskod ammatti zawod stanowisko zamestnani povolani foglalkozas munkakor "
          "ocupatie profesie meslek avdeling afdeling avdelning osasto dzial wydzial sni+grp sni+kod bransje "
          "branche+kode pkd arbeidsmarkedsstatus sysselsatt sysselsattning beskaeftigelse tyollinen ansattelse "
          "ansatt+dato nace+kode arbeidstid"),
    Topic("life", 4, "family and home",
          "antall+barn antallbarn antal+barn antbarn boern liczba+dzieci liczba+rodz liczba+osob pocet+deti "
          "pocet+osob gyermekek gyerekszam copii nr+copii cocuk+sayisi lapset lapsia husstand husholdning "
          "husstandsstorrelse hushall hushallstyp kotitalous boligtype bolig bostad hustype asuinmuoto mieszkanie"),
    Topic("place", 4, "where somebody lives or is",
          "fylke kommunenr kommunnr kommune+nr lan+kod lanskod bydel bydelsnr kunta maakunta postnr postnummer "
          "wojewodztwo powiat gmina miejscowosc miejsce+zam kod+pocztowy obec psc megye telepules iranyitoszam judet "
          "localitate ilce sehir landsdel region+kod amt+kode"),
    Topic("date", 4, "when something happened to somebody",
          "dato innlagt+dato utskrevet+dato datum+in data+przyjecia data+wypisu baslangic bitis paivamaara alkupvm "
          "loppupvm inskrivning utskrivning"),
    Topic("money", 4, "money",
          "inntekt indkomst inkomst dispink disponibel formue gjeld lonn loen lonegruppe tulot palkka velka dochod "
          "dochod+rodz zarobki wynagrodzenie prijem mzda jovedelem fizetes venit salariu gelir maas borc "
          "forsorjningsstod sosialhjelp kontanthjelp dagpenger trygd zasilek"),
    Topic("health", 4, "health",
          "sykefravaer sykefravar sykmelding sygefravaer sygdom sjukdagar sjukskrivning sjukdom hoveddiagnose "
          "hovedtilstand diagnoza choroba rokavy royker rokare ryger tupakointi pali+papierosy smerte smarte sairaus "
          "laake betegseg boala nemoc hastalik ilac blodtrykk blodtryck"),
    Topic("score", 4, "scores, marks and opinions",
          "karakter karaktersnit betyg arvosana ocena oceny srednia+ocen nieobecnosci zachowanie znamka prumer "
          "osztalyzat nota+medie devamsizlik tilfredshet tilfredshed nojdhet"),
    Topic("crime", 4, "crime",
          "dom+kod straff lovbrudd brott rikos wyrok przestepstwo trestny+cin bunteto suc+turu"),
    Topic("politics", 4, "politics or union membership",
          "stemte rostade puolue partia volba oy+verdigi parti+valg"),
    Topic("decision", 4, "a decision about somebody",
          "vedtak avgorelse afgorelse paatos decyzja rozhodnuti hatarozat decizie"),
    Topic("text", 1, "remarks in words",
          "merknad merknader bemaerkning anmarkning huomautus uwagi poznamka megjegyzes observatii aciklama fritekst "
          "fritext"),
    Topic("number", 4, "numbers of people",
          "pasnr lopnr nr+ucznia nr+pacjenta lopenr lopenummer potilasnro elevnr studienr cislo+pacienta"),
    Topic("weight", 5, "sampling weights",
          "vekt vikt paino+kerroin waga vaha suly agirlik vaegt kalibreringsvikt"),
)  # fmt: skip
"""The words of each topic."""
